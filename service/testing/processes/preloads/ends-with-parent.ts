// Loaded before `service/main.ts` in a process of its own: a test run that is broken off leaves no
// service behind. The channel tells that the parent is gone, and keeps nothing alive by itself.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();
