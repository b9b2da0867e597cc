import { TestApi } from '../api.ts';
import { createTestContext } from '../context.ts';
import type { TestContext } from '../context.ts';
import { withSessionsById } from '../sessions.ts';
import { addAskers } from './askers.ts';
import type { Asker, Askers } from './askers.ts';
import type { Input, Right } from './rights-table.ts';
import { Things } from './things.ts';

/** A service without limits, and everybody who can make requests to it. */
export type RightsWorld = { ctx: TestContext; api: TestApi; askers: Askers; things: Things };

export async function openRightsWorld(): Promise<RightsWorld> {
  const { limiter, ...made } = await createTestContext({
    config: { maxKeys: 100_000, maxWebhooks: 100_000 },
  });
  const consume = async () => ({
    allowed: true,
    limit: 1,
    remaining: 1,
    resetSeconds: 1,
    name: 'call' as const,
    windowSeconds: 60,
  });
  const ctx = withSessionsById({ ...made, limiter: { ...limiter, consume } });
  const api = new TestApi(ctx);
  const account = await api.account();
  const askers = await addAskers(ctx, account);
  return { ctx, api, askers, things: await Things.of(ctx, api, account) };
}

/**
 * Calls `ask` for everybody: first for those who are refused, so that nothing has changed for them,
 * and then for the others. Each of the others gets an input of their own, and so does everybody if
 * the input names the asker. The refused askers share an input that somebody else could use, and so
 * does everybody for routes that only read.
 */
export async function askForEverybody<Result>(
  { askers, things }: RightsWorld,
  options: {
    right: Right;
    /** By default those of the right. */
    outcomes?: Right['outcomes'];
    /** By default all. */
    askers?: readonly Asker[];
    isReading: boolean;
    ask: (asker: Asker, input: Input) => Promise<Result>;
  },
): Promise<Record<string, Result>> {
  const { right, outcomes = right.outcomes, askers: everybody = askers.all } = options;
  const isRefused = ({ name }: Asker) => [401, 403, 404].includes(Number(outcomes[name]));
  const results: Record<string, Result> = {};
  let shared: Input | null = null;
  for (const asker of everybody.toSorted((a, b) => Number(isRefused(b)) - Number(isRefused(a)))) {
    const isOwn =
      (right.namesAsker === true && (asker.isHere || !isRefused(asker))) ||
      (!options.isReading && !isRefused(asker));
    const input: Input = isOwn || shared === null ? await right.makeInput(things, asker) : shared;
    shared ??= input;
    results[asker.name] = await options.ask(asker, input);
  }
  if (!options.isReading) await askers.restore();
  return results;
}
