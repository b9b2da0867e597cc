// Loaded before `service/main.ts` in a process of its own: a test run that is broken off leaves no
// service behind. The IPC channel closes when the parent is gone, and does not keep the process
// alive.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();
