//! Signatures in the format of minisign, which the stock tool makes and checks as well.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use anyhow::Context as _;
use minisign::{PublicKey, SecretKey, SecretKeyBox, SignatureBox};

/// The environment variable with the password of a secret key.
const PASSWORD: &str = "WONDERSPINS_KEY_PASSWORD";

/// The comment that a signature covers. Without a time: the certificate has its own.
const TRUSTED_COMMENT: &str = "wonderspins certificate";

/// A secret key, ready to sign.
pub(super) struct SigningKey(SecretKey);

impl SigningKey {
    /// Reads a key; one with a password takes it from the environment or asks for it.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let failed = || format!("the secret key `{}` cannot be used", path.display());
        let text = fs::read_to_string(path).with_context(failed)?;
        let boxed = || SecretKeyBox::from_string(&text).with_context(failed);
        // The box says only by trying whether it has a password.
        let key = match boxed()?.into_unencrypted_secret_key() {
            Ok(key) => key,
            Err(_) => boxed()?
                .into_secret_key(std::env::var(PASSWORD).ok())
                .with_context(failed)?,
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
