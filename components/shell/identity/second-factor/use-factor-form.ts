import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useState } from 'react';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';
import type {
  GivenFactor,
  PasskeyAssertion,
  SecondFactorKind,
} from '#lib/contract/people/second-factors.ts';
import { usePublicForm } from '../../form/use-form.ts';
import { codeError, givenCode } from './factor-input.tsx';

type FactorFormOptions = {
  /** How it can be given here, the best first. */
  kinds: readonly SecondFactorKind[];
  /** Whether the password is given with it. A passkey needs none. */
  withPassword?: boolean;
  send: (body: GivenFactor & { password?: string }) => Promise<ActionResult>;
  startPasskey: () => Promise<ActionResult<{ data: Record<string, unknown> }>>;
  onDone: () => void;
  onFailure?: (failure: ActionFailure, show: (failure: ActionFailure) => void) => void;
  isInBackground?: boolean;
};

const empty = { password: '', code: '', recovery_code: '', passkey: '' };

/** The form that asks for a second factor, in one of the ways that work here. */
export function useFactorForm({
  kinds,
  withPassword = false,
  send,
  startPasskey,
  onDone,
  ...options
}: FactorFormOptions) {
  const [kind, setKind] = useState<SecondFactorKind>(kinds[0] ?? 'recovery_code');
  const form = usePublicForm({
    ...options,
    initial: empty,
    shownFields: () => fieldsOf(kind, withPassword),
    validate: (typed) => findErrors(typed, kind, withPassword),
    send: async (typed) => {
      if (kind !== 'passkey') {
        const given = givenCode(kind, typed[kind === 'app' ? 'code' : kind]);
        return await send({ ...(withPassword && { password: typed.password }), ...given });
      }
      const started = await startPasskey();
      if (!started.ok) return started;
      const passkey = await signChallenge(started.data);
      return passkey === null ? noPasskey : await send({ passkey });
    },
    onDone: () => onDone(),
  });
  return { ...form, kind, choose: setKind };
}

function fieldsOf(kind: SecondFactorKind, withPassword: boolean): readonly (keyof typeof empty)[] {
  if (kind === 'passkey') return ['passkey'];
  const code = kind === 'app' ? 'code' : kind;
  return withPassword ? ['password', code] : [code];
}

function findErrors(typed: typeof empty, kind: SecondFactorKind, withPassword: boolean) {
  if (kind === 'passkey') return {};
  const field = kind === 'app' ? 'code' : kind;
  const error = codeError(kind, typed[field]);
  return {
    ...(withPassword && typed.password === '' && { password: 'Enter your password.' }),
    ...(error !== null && { [field]: error }),
  };
}

/** Asks for one of the passkeys in `options`; null if the person cancelled, or none is here. */
async function signChallenge(options: Record<string, unknown>): Promise<PasskeyAssertion | null> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  try {
    return (await startAuthentication({
      optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    })) as PasskeyAssertion;
  } catch {
    return null;
  }
}

/** The failure that a form shows next to its button if no passkey was given. */
const noPasskey: ActionFailure = {
  ok: false,
  code: 'VALIDATION_ERROR',
  message: 'No passkey was used.',
  details: { passkey: ['No passkey was used. Try again, or use another way.'] },
};
