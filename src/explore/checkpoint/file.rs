//! The file of a checkpoint: sections, each with its name, its length and a checksum.
//!
//! In: bytes and words. Out: a file beside the one that is to be replaced, which it replaces when all of it is on the disk; of a file
//! the sections in their order, after every checksum was found right. Nothing is known here of what sections mean.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How every such file begins; the number is that of the format.
const MAGIC: &[u8; 20] = b"bsym checkpoint 001\n";

/// Bytes of a section's name.
const NAME: usize = 8;

/// Bytes of a section's head: its name and its length.
const HEAD: usize = NAME + 8;

/// Bytes of a checksum (blake3).
const SUM: usize = 32;

/// Bytes that are read or written at once.
const PIECE: usize = 1 << 16;

/// Behind the last section.
const END: &str = "end";

/// Why a file is no checkpoint that can be gone on from.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// The system does not read it.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// It begins otherwise.
    #[error("it is no checkpoint of this version of bsym")]
    Foreign,
    /// It ends too early, or a checksum is wrong.
    #[error("it is damaged: it ends too early, or was changed after it was written")]
    Checksum,
    /// What checksums cover is not what is expected.
    #[error("it is not what this version of bsym writes")]
    Content,
}

/// A file that is being written.
pub(super) struct Writer {
    out: BufWriter<File>,
    /// Where it is written, and what it replaces.
    part: PathBuf,
    path: PathBuf,
    finished: bool,
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.finished {
            let _ = std::fs::remove_file(&self.part);
        }
    }
}

impl Writer {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let mut name = OsString::from(".");
        name.push(path.file_name().ok_or(io::ErrorKind::IsADirectory)?);
        name.push(".part");
        let part = path.with_file_name(name);
        let mut out = BufWriter::with_capacity(PIECE, File::create(&part)?);
        out.write_all(MAGIC)?;
        Ok(Self { out, part, path: path.to_owned(), finished: false })
    }

    fn head(&mut self, name: &str, length: usize) -> io::Result<blake3::Hasher> {
        let head = head(name, length as u64);
        let mut sum = blake3::Hasher::new();
        sum.update(&head);
        self.out.write_all(&head)?;
        Ok(sum)
    }

    fn sum(&mut self, sum: &blake3::Hasher) -> io::Result<()> {
        self.out.write_all(sum.finalize().as_bytes())
    }

    /// A section of bytes.
    pub(super) fn bytes(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut sum = self.head(name, bytes.len())?;
        sum.update(bytes);
        self.out.write_all(bytes)?;
        self.sum(&sum)
    }

    /// A section of so many words, which `all` puts one after the other.
    pub(super) fn words(
        &mut self,
        name: &str,
        count: usize,
        all: &mut dyn FnMut(&mut dyn FnMut(u64) -> io::Result<()>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut sum = self.head(name, count * 8)?;
        let mut piece = Vec::with_capacity(PIECE);
        let (mut put, out) = (0usize, &mut self.out);
        all(&mut |word| {
            put += 1;
            piece.extend_from_slice(&word.to_le_bytes());
            if piece.len() >= PIECE {
                sum.update(&piece);
                out.write_all(&piece)?;
                piece.clear();
            }
            Ok(())
        })?;
        if put != count {
            return Err(io::Error::other("not as many as there were to be"));
        }
        sum.update(&piece);
        out.write_all(&piece)?;
        self.sum(&sum)
    }

    /// Puts the file in its place.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.bytes(END, &[])?;
        self.out.flush()?;
        self.out.get_ref().sync_all()?;
        std::fs::rename(&self.part, &self.path)?;
        self.finished = true;
        // What the folder says must outlive the machine, too; not all systems let folders be opened.
        let folder = self.path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let _ = File::open(folder).and_then(|f| f.sync_all());
        Ok(())
    }
}

fn head(name: &str, length: u64) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head.iter_mut().zip(name.bytes().take(NAME)).for_each(|(to, b)| *to = b);
    head[NAME..].copy_from_slice(&length.to_le_bytes());
    head
}

/// A file that is read.
pub(super) struct Reader {
    file: BufReader<File>,
    length: u64,
}

impl Reader {
    pub(super) fn open(path: &Path) -> Result<Self, Damage> {
        let about = std::fs::metadata(path)?;
        if !about.is_file() {
            return Err(Damage::Foreign);
        }
        let mut file = BufReader::with_capacity(PIECE, File::open(path)?);
        let mut magic = [0; MAGIC.len()];
        match file.read_exact(&mut magic) {
            Ok(()) if magic == *MAGIC => Ok(Self { file, length: about.len() }),
            Err(e) if e.kind() != io::ErrorKind::UnexpectedEof => Err(e.into()),
            _ => Err(Damage::Foreign),
        }
    }

    /// Looks at all checksums, and goes back to the first section.
    pub(super) fn check(&mut self) -> Result<(), Damage> {
        let end = head(END, 0);
        loop {
            let head = self.any(&mut |_| ())?;
            if head == end {
                break;
            }
        }
        let behind = self.file.stream_position()?;
        self.file.seek(SeekFrom::Start(MAGIC.len() as u64))?;
        if behind == self.length { Ok(()) } else { Err(Damage::Checksum) }
    }

    /// Reads the next section; its head.
    fn any(&mut self, piece: &mut dyn FnMut(&[u8])) -> Result<[u8; HEAD], Damage> {
        let mut head = [0; HEAD];
        self.fill(&mut head)?;
        let mut sum = blake3::Hasher::new();
        sum.update(&head);
        let mut length = [0; 8];
        length.copy_from_slice(&head[NAME..]);
        let mut left = u64::from_le_bytes(length);
        let mut bytes = vec![0; PIECE];
        while left > 0 {
            let now = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
            let part = bytes.get_mut(..now).unwrap_or_default();
            self.fill(part)?;
            sum.update(part);
            piece(part);
            left -= now as u64;
        }
        let mut told = [0; SUM];
        self.fill(&mut told)?;
        if *sum.finalize().as_bytes() == told { Ok(head) } else { Err(Damage::Checksum) }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Damage> {
        self.file.read_exact(bytes).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => Damage::Checksum,
            _ => Damage::Unreadable(e),
        })
    }

    /// The next section, which must have this name.
    fn section(&mut self, name: &str, piece: &mut dyn FnMut(&[u8])) -> Result<(), Damage> {
        let found = self.any(piece)?;
        if found[..NAME] == head(name, 0)[..NAME] { Ok(()) } else { Err(Damage::Content) }
    }

    pub(super) fn bytes(&mut self, name: &str) -> Result<Vec<u8>, Damage> {
        let mut all = Vec::new();
        self.section(name, &mut |piece| all.extend_from_slice(piece))?;
        Ok(all)
    }

    /// The words of the next section, one after the other.
    pub(super) fn words(&mut self, name: &str, word: &mut dyn FnMut(u64)) -> Result<(), Damage> {
        // Pieces end between words.
        self.section(name, &mut |piece| {
            let (words, _) = piece.as_chunks();
            words.iter().for_each(|w| word(u64::from_le_bytes(*w)));
        })
    }
}
