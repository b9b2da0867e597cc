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
import { requiredSession } from './required-session.ts';

/** A person's own second factors, and the challenges that passkeys sign. */
export function mountSecondFactorRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getSecondFactors).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getSecondFactors(ctx, actor) },
  }));

  mount(app, ctx, contract.startApp).handle(async ({ actor, sessionToken }) => ({
    status: 201,
    body: { success: true, data: await startApp(ctx, actor, requiredSession(sessionToken)) },
  }));

  mount(app, ctx, contract.confirmApp).handle(async ({ actor, body, sessionToken }) => {
    const codes = await confirmApp(ctx, actor, {
      code: body.code,
      sessionToken: requiredSession(sessionToken),
    });
    return { status: 201, body: { success: true, data: { recovery_codes: codes } } };
  });

  mount(app, ctx, contract.removeApp).handle(async ({ actor, sessionToken }) => {
    await removeApp(ctx, actor, requiredSession(sessionToken));
    return { status: 204 };
  });

  mount(app, ctx, contract.startPasskey).handle(async ({ actor, sessionToken }) => ({
    status: 201,
    body: { success: true, data: await startPasskey(ctx, actor, requiredSession(sessionToken)) },
  }));

  mount(app, ctx, contract.addPasskey).handle(async ({ actor, body, sessionToken }) => {
    const { passkey, recoveryCodes } = await addPasskey(ctx, actor, {
      input: body,
      sessionToken: requiredSession(sessionToken),
    });
    return {
      status: 201,
      body: { success: true, data: { passkey, recovery_codes: recoveryCodes } },
    };
  });

  mount(app, ctx, contract.renamePasskey).handle(async ({ actor, params, body, sessionToken }) => {
    const data = await renamePasskey(ctx, actor, {
      passkey: params.passkey,
      name: body.name,
      sessionToken: requiredSession(sessionToken),
    });
    return { status: 200, body: { success: true, data } };
  });

  mount(app, ctx, contract.removePasskey).handle(async ({ actor, params, sessionToken }) => {
    await removePasskey(ctx, actor, {
      passkey: params.passkey,
      sessionToken: requiredSession(sessionToken),
    });
    return { status: 204 };
  });

  mount(app, ctx, contract.createRecoveryCodes).handle(async ({ actor, sessionToken }) => {
    const codes = await createRecoveryCodes(ctx, actor, requiredSession(sessionToken));
    return { status: 201, body: { success: true, data: { recovery_codes: codes } } };
  });

  mount(app, ctx, contract.startPasskeyProof).handle(async ({ actor, sessionToken }) => ({
    status: 201,
    body: {
      success: true,
      data: await startPasskeyProof(ctx, actor, requiredSession(sessionToken)),
    },
  }));

  mount(app, ctx, contract.startPasskeySignIn).handle(async ({ body }) => {
    const data = await startPasskeySignIn(ctx, body.pending_token);
    return { status: 201, body: { success: true, data } };
  });
}
