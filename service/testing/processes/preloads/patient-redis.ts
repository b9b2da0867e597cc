import { redisPatience } from '../../../limiter/limiter.ts';

// Loaded before `service/main.ts` in a separate process: on a busy machine Redis may be slow too,
// and a test of shared counts must not fall back to counting in each process.
redisPatience.commandMs = 10_000;
