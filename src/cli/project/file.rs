//! Files of projects of ProB2-UI (`.prob2project`).
//!
//! In: their JSON, of several versions: tasks stood in a list of each kind before they stood in one list. Out: [`Project`]: machines with
//! their files, preferences and tasks, each task still as it stands there. What is about how things are shown is passed over.

use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// A project.
pub(super) struct Project {
    /// Its name.
    pub name: String,
    /// Its machines.
    pub machines: Vec<Machine>,
}

/// A machine of a project.
pub(super) struct Machine {
    /// Its name in the project.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Preferences with their values.
    pub preferences: Vec<(String, String)>,
    /// Its tasks, with the list that they stand in.
    pub tasks: Vec<(&'static str, Json)>,
}

/// The list of all tasks.
const TASKS: &str = "validationTasks";

/// Lists of tasks, the later ones in older files.
const LISTS: [&str; 9] = [
    TASKS,
    "modelcheckingItems",
    "modelCheckingItems",
    "ltlFormulas",
    "traces",
    "symbolicCheckingFormulas",
    "symbolicAnimationFormulas",
    "testCases",
    "simulations",
];

/// Reads a project.
///
/// # Errors
/// It cannot be read, or is none.
pub(super) fn read(path: &Path) -> Result<Project, String> {
    let name = path.display();
    let text = crate::source::read_text(path).map_err(|e| format!("`{name}` cannot be read: {e}"))?;
    let json: Json = serde_json::from_str(&text)
        .map_err(|e| format!("`{name}` is no project of ProB2-UI: it is no JSON ({e})"))?;
    let machines = json.get("machines").and_then(Json::as_array);
    let machines = machines.ok_or_else(|| {
        format!("`{name}` is no project of ProB2-UI: it has no list `machines` (a `.prob2project` has one)")
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let machine = |(i, m): (usize, &Json)| {
        let location = text_of(m, "location");
        let location = location.ok_or_else(|| format!("`{name}`: machine {} has no `location`", i + 1))?;
        let file = folder.join(location);
        let stem = || file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Machine {
            name: text_of(m, "name").map_or_else(stem, str::to_owned),
            preferences: preferences(&json, m),
            tasks: tasks(m),
            file,
        })
    };
    let stem = || path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Project {
        name: text_of(&json, "name").map_or_else(stem, str::to_owned),
        machines: machines.iter().enumerate().map(machine).collect::<Result<_, String>>()?,
    })
}

/// A text, if it is there.
pub(super) fn text_of<'j>(json: &'j Json, key: &str) -> Option<&'j str> {
    json.get(key)?.as_str().filter(|s| !s.is_empty())
}

fn tasks(machine: &Json) -> Vec<(&'static str, Json)> {
    let list = |key: &'static str| {
        let all = machine.get(key).and_then(Json::as_array).cloned().unwrap_or_default();
        all.into_iter().map(move |task| (key, task))
    };
    LISTS.into_iter().flat_map(list).collect()
}

/// The preferences that the machine was last used with.
fn preferences(project: &Json, machine: &Json) -> Vec<(String, String)> {
    let keys = ["lastUsedPreferenceName", "lastUsedPreference"];
    let Some(used) = keys.into_iter().find_map(|k| text_of(machine, k)) else { return Vec::new() };
    let all = project.get("preferences").and_then(Json::as_array);
    let found = all.into_iter().flatten().find(|p| text_of(p, "name") == Some(used));
    let values = found.and_then(|p| p.get("preferences")).and_then(Json::as_object);
    let shown = |v: &Json| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    values.into_iter().flatten().map(|(k, v)| (k.clone(), shown(v))).collect()
}
