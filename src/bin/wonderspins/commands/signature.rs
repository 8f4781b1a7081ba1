//! Signatures in the format of minisign, which the stock tool makes and checks as well.

use std::fs;
use std::io::Cursor;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use ct_codecs::{Base64, Decoder as _};
use minisign::{PublicKey, SecretKey, SecretKeyBox, SignatureBox};

/// The environment variable with the password of a secret key.
const PASSWORD: &str = "WONDERSPINS_KEY_PASSWORD";

/// Where a secret key says how it is encrypted; zeros: not at all.
const KEY_DERIVATION: Range<usize> = 2..4;

/// The comment that a signature covers. Without a time: the certificate has its own.
const TRUSTED_COMMENT: &str = "wonderspins certificate";

/// A secret key, ready to sign.
pub(super) struct SigningKey(SecretKey);

impl SigningKey {
    /// Reads a key; one with a password takes it from the environment or asks for it.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let failed = || format!("the secret key `{}` cannot be used", path.display());
        let text = fs::read_to_string(path).with_context(failed)?;
        let encoded = text.lines().nth(1).unwrap_or_default();
        let bytes = Base64::decode_to_vec(encoded, None)
            .map_err(|error| anyhow!("{error}"))
            .with_context(failed)?;
        let key = if bytes.get(KEY_DERIVATION) == Some(&[0, 0]) {
            // The stock tool leaves the checksum of a key without a password at zero, which
            // the box's own reader takes for damage.
            SecretKey::from_bytes(&bytes).with_context(failed)?
        } else {
            let password = match std::env::var(PASSWORD) {
                Ok(password) => password,
                Err(_) => rpassword::prompt_password(format!("password of `{}`: ", path.display()))
                    .with_context(failed)?,
            };
            SecretKeyBox::from_string(&text)
                .and_then(|boxed| boxed.into_secret_key(Some(password)))
                .with_context(failed)?
        };
        Ok(Self(key))
    }

    /// The text of the signature file.
    pub(super) fn sign(&self, data: &[u8]) -> anyhow::Result<String> {
        let comment = "signature from a minisign secret key";
        let signature = minisign::sign(
            None,
            &self.0,
            Cursor::new(data),
            Some(TRUSTED_COMMENT),
            Some(comment),
        )
        .context("the certificate could not be signed")?;
        Ok(signature.into_string())
    }
}

/// A public key from a file, or from its own text.
pub(super) fn trusted_key(argument: &str) -> anyhow::Result<PublicKey> {
    let path = Path::new(argument);
    if path.exists() {
        PublicKey::from_file(path)
            .with_context(|| format!("the public key `{argument}` cannot be used"))
    } else {
        PublicKey::from_base64(argument)
            .with_context(|| format!("`{argument}` is neither a file nor a public key of minisign"))
    }
}

/// Whether a signature is one of this key over these bytes: what was found, or what is wrong.
pub(super) fn check(key: &PublicKey, signature: &Path, data: &[u8]) -> Result<String, String> {
    let text = fs::read_to_string(signature).map_err(|error| {
        format!(
            "the signature `{}` cannot be read: {error}",
            signature.display()
        )
    })?;
    let signature = SignatureBox::from_string(&text)
        .map_err(|error| format!("`{}` is no signature: {error}", signature.display()))?;
    minisign::verify(key, &signature, Cursor::new(data), true, false, false)
        .map_err(|error| error.to_string())?;
    let comment = signature
        .trusted_comment()
        .map_err(|error| error.to_string())?;
    Ok(format!(
        "signed by the trusted key, with the comment `{comment}`"
    ))
}
