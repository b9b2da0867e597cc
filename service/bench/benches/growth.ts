import { addAccountsToGrow, growDatabase } from '../../testing/growth/grow-database.ts';
import { addSteadyAccount, doHotActs, hotActs } from '../../testing/growth/hot-acts.ts';
import type { HotAct, SteadyAccount } from '../../testing/growth/hot-acts.ts';
import { unlimited } from '../../testing/unlimited.ts';
import type { Bench } from '../running/bench-run.ts';
import { median } from '../running/sample.ts';
import { rows } from '../rows.ts';
import { openInstallation } from '../setup/open-installation.ts';
import type { Installation } from '../setup/open-installation.ts';

const smallSize = 1000;
const largeSizes = { '10⁵ rows': 100_000, '10⁶ rows': 1_000_000 };
type LargeSize = keyof typeof largeSizes;

const rounds = 5;
const timesInRound = 40;
const timesBefore = 20;

type Grown = { installation: Installation; ctx: Installation['ctx']; account: SteadyAccount };
/** How many milliseconds each act took. */
type Took = Record<HotAct, number[]>;

/**
 * How much longer the hot acts take in a large database than in a small one. All databases are open
 * at the same time and take turns, so that other work of the machine slows all of them down
 * equally. Only PostgreSQL is measured, because an embedded database does not get this large.
 */
export const benchGrowth: Bench = async (run) => {
  if (!run.engines.includes('postgresql')) return;
  const small = await openGrown(smallSize);
  const large = new Map<LargeSize, Grown>();
  for (const size of ['10⁵ rows', ...(run.isFull ? ['10⁶ rows' as const] : [])] as LargeSize[]) {
    large.set(size, await openGrown(largeSizes[size]));
  }
  const all = [small, ...large.values()];
  // Runs before it counts, so that plans and caches are those of a service that has run for a
  // while.
  await measureInTurns(all, timesBefore);
  const taken: Map<Grown, Took>[] = [];
  while (taken.length < rounds) taken.push(await measureInTurns(all, timesInRound));

  for (const [size, grown] of large) {
    for (const act of hotActs) {
      const medianOf = (round: Map<Grown, Took>, of: Grown) => median(round.get(of)?.[act] ?? []);
      run.add(rows.growth[`${act}, ${size}`], {
        engine: 'postgresql',
        samples: taken.map((round) => ({
          value: medianOf(round, grown),
          yardstick: medianOf(round, small),
        })),
      });
    }
  }
  for (const { installation } of all) await installation.close();
};

async function openGrown(size: number): Promise<Grown> {
  const installation = await openInstallation('postgresql');
  const ctx = { ...installation.ctx, limiter: unlimited };
  const account = await addSteadyAccount(ctx);
  await addAccountsToGrow(ctx);
  await growDatabase(ctx, { from: 0, to: size });
  return { installation, ctx, account };
}

async function measureInTurns(all: readonly Grown[], times: number): Promise<Map<Grown, Took>> {
  const taken = new Map<Grown, Took>();
  for (const grown of all) {
    taken.set(grown, Object.fromEntries(hotActs.map((act) => [act, []])) as unknown as Took);
  }
  for (let time = 0; time < times; time += 1) {
    // Each database goes first equally often, because the one after a large database finds the
    // caches emptied.
    const first = time % all.length;
    for (const grown of [...all.slice(first), ...all.slice(0, first)]) {
      await doHotActs(grown.ctx, grown.account, async (act, run) => {
        const began = performance.now();
        const value = await run();
        taken.get(grown)?.[act].push(performance.now() - began);
        return value;
      });
    }
  }
  return taken;
}
