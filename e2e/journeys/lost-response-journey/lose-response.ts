import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { rowOf } from '../../pages/api-keys.ts';
import { holdNextResponse } from '../../pages/hold-next-response.ts';
import type { HeldResponse } from '../../pages/hold-next-response.ts';
import {
  everyWay,
  expectClosed,
  expectOtherAccount,
  isOpenBehindDialogs,
  leaveBy,
} from '../../pages/leaving.ts';
import type { WayOfLeaving } from '../../pages/leaving.ts';
import { secretDialog } from '../../pages/secret-dialog.ts';
import { acts } from './acts.ts';
import type { Act, ActName } from './acts.ts';
import { expectDead, expectOne, expectUnconfirmed } from './expect-recovery.ts';
import type { Target, World } from './world.ts';

type Journey = {
  /** The target from an earlier act; if left out, it is created. */
  target?: Target;
  /** How the person tries to leave while the request is in flight. */
  onItsWay: readonly WayOfLeaving[];
  /** The same while the dialog is open. */
  whileShown: WayOfLeaving;
  /** How the person leaves the dialog at the end. */
  end: 'Done' | WayOfLeaving;
};

/**
 * The response is lost after some attempts to leave. After another press, nothing is created twice.
 */
export async function doOnce(
  world: World,
  name: ActName,
  { target: given, onItsWay, whileShown, end }: Journey,
): Promise<Target> {
  return await test.step(name, async () => {
    const act: Act = acts[name];
    const { held: response, target } = await pressWithHeldResponse(world, act, given);
    const { page } = world;
    const unseen = secretIn(await response.arrived);
    const address = page.url();
    for (const way of onItsWay) await tryToLeave(page, way, act.isInDialog);
    expect(page.url()).toBe(address);
    response.lose();
    await expect(page.getByText(act.unknown)).toBeVisible();
    const dialog = secretDialog(page);
    await expect(dialog.root).toBeHidden();

    await (act.again ?? act.button)(page, target).click();
    await expect(dialog.value).toHaveValue(/^(sk_live_|whsec_)/);
    const shown = await dialog.value.inputValue();
    expect(shown).not.toBe(unseen);
    await expectDead(world, unseen);
    await tryToLeave(page, whileShown, true);
    await expect(dialog.value).toHaveValue(shown);
    const found = await expectOne(world, act, target.name);

    if (end === 'Done') {
      await dialog.saved.check();
      await dialog.done.click();
      await expect(dialog.root).toBeHidden();
      const isOnItsPage = target.uuid !== '' && page.url().endsWith(target.uuid);
      const shownOf = isOnItsPage ? page.getByRole('main') : rowOf(page, target.name);
      await expect(shownOf).not.toContainText(act.unconfirmed);
    } else {
      await leaveBy(page, end, 'leave');
      await expectUnconfirmed(world, act, target);
    }
    return found;
  });
}

export async function leaveWhileOnItsWay(
  world: World,
  name: ActName,
  way: WayOfLeaving,
): Promise<void> {
  const act: Act = acts[name];
  if (act.isInDialog && !isOpenBehindDialogs(way)) return;
  const { held: response, target } = await pressWithHeldResponse(world, act);
  await response.arrived;
  await leaveBy(world.page, way, 'stay');
  await leaveBy(world.page, way, 'leave');
  response.lose();
  if (way === 'another account') await expectOtherAccount(world.page);
  await expectUnconfirmed(world, act, target);
  await expectOne(world, act, target.name);
}

export async function leaveWhileShown(
  world: World,
  name: ActName,
  way: WayOfLeaving,
): Promise<void> {
  const act: Act = acts[name];
  if (!isOpenBehindDialogs(way)) return;
  const { held: response, target } = await pressWithHeldResponse(world, act);
  response.deliver();
  const { value } = secretDialog(world.page);
  await expect(value).toHaveValue(/^(sk_live_|whsec_)/);
  const shown = await value.inputValue();
  for (const tried of everyWay) await tryToLeave(world.page, tried, true);
  await expect(value).toHaveValue(shown);
  await leaveBy(world.page, way, 'leave');
  await expectUnconfirmed(world, act, target);
  await expectOne(world, act, target.name);
}

/** Tries to leave and stays. A dialog blocks some of the ways. */
async function tryToLeave(page: Page, way: WayOfLeaving, isInDialog = false): Promise<void> {
  if (isInDialog && !isOpenBehindDialogs(way)) await expectClosed(page, way);
  else await leaveBy(page, way, 'stay');
}

export async function pressWithHeldResponse(
  world: World,
  act: Act,
  given?: Target,
): Promise<{ held: HeldResponse; target: Target }> {
  const made = given ?? (await act.prepare?.(world));
  const target = made ?? { name: world.named('Made once'), uuid: '' };
  await act.open(world.page, target);
  const held = await holdNextResponse(world.page, { after: act.after ?? 0 });
  await act.button(world.page, target).click();
  return { held, target };
}

function secretIn(response: string): string | null {
  return /sk_live_\w+|whsec_[\w+/=]+/.exec(response)?.[0] ?? null;
}
