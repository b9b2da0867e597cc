import { redisPatience } from '../../../limiter/limiter.ts';

// Loaded before `service/main.ts` in a process of its own: on a busy machine Redis, too, may take its
// time, and a test of what processes count together must not end up counting apart.
redisPatience.commandMs = 10_000;
