// Loaded before `service/main.ts` in a separate process, so that an interrupted test run leaves no
// service behind. The IPC channel closes when the parent has ended, and does not keep the process
// alive.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();
