//! Output files that appear whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

use crate::{Error, Result};

/// Writes every file, or none: each goes to a temporary file beside its target, and only when
/// all are on the disk are they renamed.
///
/// A target that exists and is no regular file (`/dev/stdout`, a pipe) cannot be renamed over
/// and is written directly; a symbolic link keeps pointing where it did.
///
/// # Errors
/// [`Error::Io`] naming the target. Temporary files are then removed and old targets untouched.
pub fn write_files(files: &[(&Path, &[u8])]) -> Result<()> {
    let mut staged: Vec<(NamedTempFile, PathBuf)> = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let fail = |source| Error::io(*path, source);
        let target = match fs::canonicalize(path) {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_path_buf(),
            Err(error) => return Err(fail(error)),
        };
        match fs::metadata(&target) {
            Ok(meta) if meta.is_dir() => {
                return Err(fail(io::Error::from(io::ErrorKind::IsADirectory)));
            }
            Ok(meta) if !meta.is_file() => {
                let mut device = fs::OpenOptions::new()
                    .write(true)
                    .open(&target)
                    .map_err(fail)?;
                device
                    .write_all(bytes)
                    .and_then(|()| device.flush())
                    .map_err(fail)?;
                continue;
            }
            _ => {}
        }
        staged.push((stage(&target, bytes).map_err(fail)?, target));
    }
    for (temporary, target) in staged {
        temporary
            .persist(&target)
            .map_err(|e| Error::io(target, e.error))?;
    }
    Ok(())
}

/// Paths of temporary files and folders that exist or did.
static STAGED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn staged() -> MutexGuard<'static, Vec<PathBuf>> {
    STAGED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a temporary folder with those that [`remove_staged`] removes.
pub fn stage_folder(folder: &Path) {
    staged().push(folder.to_owned());
}

/// Removes every temporary file and folder of this process, for a process that is about to be
/// ended by a signal: none can be made afterwards, and [`write_files`] blocks forever.
pub fn remove_staged() {
    let staged = staged();
    for path in &*staged {
        // A file that was renamed to its target, or is gone, has no such name any more.
        let _ = match fs::symlink_metadata(path) {
            Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
            Err(_) => Ok(()),
        };
    }
    std::mem::forget(staged);
}

/// The error without the random name that `tempfile` puts into it; the target is named instead.
fn without_temporary_name(error: io::Error) -> io::Error {
    let text = error.to_string();
    let told = text.split(" at path ").next().unwrap_or_default();
    let cure = match error.kind() {
        io::ErrorKind::NotFound => "; make its folder first",
        _ => "",
    };
    io::Error::new(error.kind(), format!("{told}{cure}"))
}

fn stage(target: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = Builder::new();
    builder.prefix(".zkria-");
    // A temporary file is private; the target gets the usual mode, less the umask.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // A signal that ends the process runs no destructor: what is staged must be known.
    let mut file = {
        let mut staged = staged();
        let file = builder
            .tempfile_in(folder)
            .map_err(without_temporary_name)?;
        staged.push(file.path().to_owned());
        file
    };
    file.write_all(bytes).map_err(without_temporary_name)?;
    // Delayed allocation reports a full disk only here.
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn all_files_appear_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&a, "old").unwrap();
        write_files(&[(&a, b"new"), (&b, b"more")]).unwrap();
        assert_eq!(fs::read(&a).unwrap(), b"new");
        assert_eq!(fs::read(&b).unwrap(), b"more");
        assert_eq!(names(dir.path()), ["a", "b"]);
    }

    #[test]
    fn a_failure_leaves_everything_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let a = dir.path().join("a");
        fs::write(&a, "old").unwrap();
        let missing = dir.path().join("no/such/folder");
        let error = write_files(&[(&a, b"new"), (&missing, b"x")]).unwrap_err();
        assert_eq!(error.exit_code(), 5);
        assert!(error.to_string().contains("no/such/folder"), "{error}");
        assert_eq!(fs::read(&a).unwrap(), b"old");
        assert_eq!(names(dir.path()), ["a"]);
        let error = write_files(&[(&a, b"new"), (dir.path(), b"x")]).unwrap_err();
        assert_eq!(error.exit_code(), 5);
        assert_eq!(fs::read(&a).unwrap(), b"old");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_io_error_and_stays_a_device() {
        use std::os::unix::fs::FileTypeExt;
        let full = Path::new("/dev/full");
        let error = write_files(&[(full, b"x")]).unwrap_err();
        assert_eq!(error.exit_code(), 5, "{error}");
        assert!(fs::metadata(full).unwrap().file_type().is_char_device());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_modes_are_usual() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        fs::write(&real, "old").unwrap();
        symlink(&real, &link).unwrap();
        write_files(&[(&link, b"new")]).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        let mode = fs::metadata(&real).unwrap().permissions().mode();
        assert_ne!(
            mode & 0o044,
            0,
            "readable by others unless the umask says no"
        );
    }
}
