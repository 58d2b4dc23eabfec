// Loaded into the processes that `spawnGroup` starts: ends the whole group when the process that started it is gone, even if that was killed.
// Otherwise a server would go on alone, with port and storage in its hands.

const parent = process.ppid;

const watch = setInterval(() => {
  // An orphan gets another parent.
  if (process.ppid === parent) return;
  clearInterval(watch);
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    // A process that wrangler has started inherits this module, but does not lead a group.
  }
}, 1000);
watch.unref();
