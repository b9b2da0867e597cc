// Imported first of all by `service/main.ts`: the pool takes its size when it is first used.
//
// Names are looked up in this pool, beside hashing and files. Of its usual four threads a few names
// whose servers never answer would take all, and with them signing in and every other delivery.
process.env['UV_THREADPOOL_SIZE'] ??= '32';
