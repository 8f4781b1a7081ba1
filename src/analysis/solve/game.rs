//! The RTPs of a paytable as functions of the parameter, and where they meet the target.

use dashu_ratio::RBig;

use super::change::{LARGEST_OTHER_RETURN, Vary, changed, ladder, twelve_places};
use super::{Candidate, JointSolution, Outcome, Parameter, Request, SolveError, Status};
use crate::analysis::bracket::{Found, Place, bracket};
use crate::analysis::ladder::Ladder;
use crate::exact::{self, RationalEnclosure};
use crate::paytable::Paytable;
use crate::rules::Trigger;

/// A paytable, a request, and what has been computed.
pub(super) struct Game<'a> {
    paytable: &'a Paytable,
    request: &'a Request,
    ladder: Ladder,
    known: Vec<Candidate>,
}

impl<'a> Game<'a> {
    pub(super) fn new(paytable: &'a Paytable, request: &'a Request) -> Result<Self, SolveError> {
        Ok(Self {
            paytable,
            request,
            ladder: ladder(paytable, &request.triggers, request.vary)?,
            known: Vec::new(),
        })
    }

    /// A value with its RTPs; computed once.
    fn candidate(&mut self, parameter: &Parameter) -> Result<Candidate, SolveError> {
        let mut known = self.known.iter();
        if let Some(known) = known.find(|known| known.parameter == *parameter) {
            return Ok(known.clone());
        }
        let Request { triggers, vary, .. } = self.request;
        let paytable = Paytable::new(changed(self.paytable, triggers, *vary, parameter))?;
        let solved = match triggers[..] {
            [trigger] => vec![exact::solve(&paytable, trigger)?],
            _ => exact::solve_all(&paytable)?,
        };
        let rtp = triggers.iter().map(|&trigger| {
            let exact = solved.iter().find(|exact| exact.trigger == trigger);
            let exact = exact.expect("the request's triggers are the paytable's");
            (trigger, exact.returns.total.clone())
        });
        let candidate = Candidate {
            parameter: parameter.clone(),
            rtp: rtp.collect(),
        };
        self.known.push(candidate.clone());
        Ok(candidate)
    }

    fn candidates<const N: usize>(
        &mut self,
        parameters: [&Parameter; N],
    ) -> Result<[Candidate; N], SolveError> {
        let mut found = Vec::with_capacity(N);
        for parameter in parameters {
            found.push(self.candidate(parameter)?);
        }
        Ok(found.try_into().expect("one for each parameter"))
    }

    /// Where the figure passes the target.
    fn find(
        &mut self,
        figure: impl Fn(&Candidate) -> RationalEnclosure,
    ) -> Result<Found, SolveError> {
        let ladder = self.ladder.clone();
        let ends = ladder.ends().ok_or(SolveError::NoLegalValue)?;
        bracket(&ladder, ends, |parameter| {
            let found = figure(&self.candidate(parameter)?);
            let target = &self.request.target;
            let place = if found.upper < *target {
                Place::Below
            } else if found.lower > *target {
                Place::Above
            } else {
                Place::Inside
            };
            Ok((place, (found.value - target).to_f64().value()))
        })
    }

    /// How one bet alone meets the target.
    pub(super) fn outcome(&mut self, index: usize) -> Result<Outcome, SolveError> {
        if self.request.vary == Vary::OtherReturn {
            return self.other_return(|bonus| bonus.rtp[index].1.clone());
        }
        let found = self.find(|candidate| candidate.rtp[index].1.clone())?;
        let is_one_sided =
            found.inside.is_none() && (found.below.is_none() || found.above.is_none());
        if is_one_sided {
            return self.not_reachable();
        }
        let mut known = |parameter: Option<Parameter>| {
            parameter
                .map(|parameter| self.candidate(&parameter))
                .transpose()
        };
        let below = known(found.below)?;
        let above = known(found.above)?;
        let inside = match found.inside {
            Some((first, last)) => {
                let [first, last] = self.candidates([&first, &last])?;
                Some(Box::new((first, last)))
            }
            None => None,
        };
        Ok(Outcome::Bracket {
            below,
            inside,
            above,
        })
    }

    fn not_reachable(&mut self) -> Result<Outcome, SolveError> {
        let (lowest, highest) = if self.request.vary == Vary::OtherReturn {
            let most = RBig::from(LARGEST_OTHER_RETURN);
            (Parameter::Fraction(RBig::ZERO), Parameter::Fraction(most))
        } else {
            self.ladder.ends().ok_or(SolveError::NoLegalValue)?
        };
        let [lowest, highest] = self.candidates([&lowest, &highest])?;
        Ok(Outcome::NotReachable { lowest, highest })
    }

    /// The `other_return` x with figure(0) + x = target.
    fn other_return(
        &mut self,
        figure: impl Fn(&Candidate) -> RationalEnclosure,
    ) -> Result<Outcome, SolveError> {
        let bonus = figure(&self.candidate(&Parameter::Fraction(RBig::ZERO))?);
        let target = &self.request.target;
        let most = RBig::from(LARGEST_OTHER_RETURN);
        let legal = |value: RBig| value.clamp(RBig::ZERO, most.clone());
        let (lower, upper) = (target - &bonus.upper, target - &bonus.lower);
        if upper < RBig::ZERO || lower > most {
            return self.not_reachable();
        }
        let value = RationalEnclosure {
            value: legal(target - &bonus.value),
            lower: legal(lower),
            upper: legal(upper),
        };
        let candidate = self.candidate(&Parameter::Fraction(twelve_places(&value.value)))?;
        Ok(Outcome::Solved { value, candidate })
    }

    /// What the outcome of one bet comes to.
    pub(super) fn status(&self, index: usize, outcome: &Outcome) -> Status {
        let candidates = match outcome {
            Outcome::NotReachable { .. } => return Status::NotReachable,
            Outcome::Solved { candidate, .. } => vec![candidate],
            Outcome::Bracket {
                below,
                inside,
                above,
            } => {
                let inside = inside.as_deref().into_iter();
                let inside = inside.flat_map(|(first, last)| [first, last]);
                below.iter().chain(inside).chain(above).collect()
            }
        };
        let is_met = candidates.iter().any(|candidate| {
            self.gap_of(&candidate.rtp[index..=index]).upper <= self.request.tolerance
        });
        match outcome {
            _ if is_met => Status::Met,
            Outcome::Bracket { inside: None, .. } => Status::Bracketed,
            _ => Status::Undecided,
        }
    }

    /// Bounds of the largest distance of RTPs from the target.
    fn gap_of(&self, rtp: &[(Trigger, RationalEnclosure)]) -> RationalEnclosure {
        let target = &self.request.target;
        let size = |number: RBig| number.clone().max(-number);
        let mut gap = RationalEnclosure {
            value: RBig::ZERO,
            lower: RBig::ZERO,
            upper: RBig::ZERO,
        };
        for (_, rtp) in rtp {
            let (under, over) = (target - &rtp.upper, &rtp.lower - target);
            gap.lower = gap.lower.max(under).max(over);
            gap.upper = gap
                .upper
                .max(size(&rtp.lower - target))
                .max(size(&rtp.upper - target));
            gap.value = gap.value.max(size(&rtp.value - target));
        }
        gap
    }

    /// The value whose RTPs are nearest to the target together.
    pub(super) fn joint(&mut self) -> Result<JointSolution, SolveError> {
        // What no value can miss by less than, besides what is known of the values tried.
        let mut least = None;
        let (parameters, is_decided) = if self.request.vary == Vary::OtherReturn {
            match self.other_return(middle)? {
                Outcome::Solved { candidate, .. } => {
                    // Every RTP moves alike, so half of what sets them apart always remains.
                    least = Some(apart(&candidate) / RBig::from(2));
                    (vec![candidate.parameter], true)
                }
                Outcome::NotReachable { lowest, highest } => {
                    (vec![lowest.parameter, highest.parameter], true)
                }
                Outcome::Bracket { .. } => unreachable!("a fraction is solved for"),
            }
        } else {
            let found = self.find(middle)?;
            let inside = found.inside.as_ref();
            let is_decided = inside.is_none_or(|(first, last)| first == last);
            let inside = found.inside.into_iter();
            let inside = inside.flat_map(|(first, last)| [first, last]);
            let sides = found.below.into_iter().chain(found.above);
            (sides.chain(inside).collect(), is_decided)
        };
        let mut nearest: Option<(Candidate, RationalEnclosure)> = None;
        let mut all_miss = true;
        for parameter in parameters {
            let candidate = self.candidate(&parameter)?;
            let gap = self.gap_of(&candidate.rtp);
            all_miss &= *least.as_ref().unwrap_or(&gap.lower) > self.request.tolerance;
            let is_nearer = |(_, known): &(Candidate, RationalEnclosure)| gap.upper < known.upper;
            if nearest.as_ref().is_none_or(is_nearer) {
                nearest = Some((candidate, gap));
            }
        }
        let (nearest, gap) = nearest.expect("a search finds at least one value");
        let status = if gap.upper <= self.request.tolerance {
            Status::Met
        } else if is_decided && all_miss {
            Status::NoCommonValue
        } else {
            Status::Undecided
        };
        Ok(JointSolution {
            nearest,
            gap,
            status,
        })
    }
}

/// A number that the largest and the least RTP are apart by at least.
fn apart(candidate: &Candidate) -> RBig {
    let lowers = candidate.rtp.iter().map(|(_, rtp)| &rtp.lower);
    let uppers = candidate.rtp.iter().map(|(_, rtp)| &rtp.upper);
    let ends = lowers.max().zip(uppers.min());
    ends.map_or(RBig::ZERO, |(most, least)| (most - least).max(RBig::ZERO))
}

/// Half the sum of the largest and the least RTP, which does not fall where none of them does.
fn middle(candidate: &Candidate) -> RationalEnclosure {
    let half_sum = |of: fn(&RationalEnclosure) -> &RBig| {
        let numbers = || candidate.rtp.iter().map(|(_, rtp)| of(rtp));
        let ends = numbers().max().zip(numbers().min());
        let (most, least) = ends.expect("a request has a trigger");
        (most + least) / RBig::from(2)
    };
    RationalEnclosure {
        value: half_sum(|rtp| &rtp.value),
        lower: half_sum(|rtp| &rtp.lower),
        upper: half_sum(|rtp| &rtp.upper),
    }
}
