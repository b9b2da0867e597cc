import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/second-factors.ts';
import type { Context } from '../../../context.ts';
import {
  addPasskey,
  renamePasskey,
  startPasskey,
} from '../../../domain/people/second-factors/passkeys/add-passkey.ts';
import { confirmApp, startApp } from '../../../domain/people/second-factors/set-up-app.ts';
import { createRecoveryCodes } from '../../../domain/people/second-factors/recovery-codes.ts';
import { getSecondFactors } from '../../../domain/people/second-factors/get-second-factors.ts';
import { removeApp, removePasskey } from '../../../domain/people/second-factors/remove-factor.ts';
import {
  startPasskeyProof,
  startPasskeySignIn,
} from '../../../domain/people/second-factors/passkeys/start-passkey-use.ts';
import { mount } from '../../mount.ts';

/** A person's own second factors, and the challenges that passkeys sign. */
export function mountSecondFactorRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getSecondFactors).respond(
    async ({ actor }) => await getSecondFactors(ctx, actor),
  );

  mount(app, ctx, contract.startApp).respond(
    async ({ actor, sessionToken }) => await startApp(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.confirmApp).respond(async ({ actor, body, sessionToken }) => {
    const codes = await confirmApp(ctx, actor, {
      code: body.code,
      sessionToken,
    });
    return { recovery_codes: codes };
  });

  mount(app, ctx, contract.removeApp).respond(
    async ({ actor, sessionToken }) => await removeApp(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.startPasskey).respond(
    async ({ actor, sessionToken }) => await startPasskey(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.addPasskey).respond(async ({ actor, body, sessionToken }) => {
    const { passkey, recoveryCodes } = await addPasskey(ctx, actor, {
      input: body,
      sessionToken,
    });
    return { passkey, recovery_codes: recoveryCodes };
  });

  mount(app, ctx, contract.renamePasskey).respond(
    async ({ actor, params, body, sessionToken }) =>
      await renamePasskey(ctx, actor, {
        passkey: params.passkey,
        name: body.name,
        sessionToken,
      }),
  );

  mount(app, ctx, contract.removePasskey).respond(
    async ({ actor, params, sessionToken }) =>
      await removePasskey(ctx, actor, {
        passkey: params.passkey,
        sessionToken,
      }),
  );

  mount(app, ctx, contract.createRecoveryCodes).respond(async ({ actor, sessionToken }) => {
    const codes = await createRecoveryCodes(ctx, actor, sessionToken);
    return { recovery_codes: codes };
  });

  mount(app, ctx, contract.startPasskeyProof).respond(
    async ({ actor, sessionToken }) => await startPasskeyProof(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.startPasskeySignIn).respond(
    async ({ body }) => await startPasskeySignIn(ctx, body.pending_token),
  );
}
