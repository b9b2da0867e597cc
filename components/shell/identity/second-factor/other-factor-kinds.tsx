import type { SecondFactorKind } from '#lib/contract/people/second-factors.ts';

type OtherFactorKindsProps = {
  kinds: readonly SecondFactorKind[];
  current: SecondFactorKind;
  onChoose: (kind: SecondFactorKind) => void;
};

/** Buttons for the other ways to give a second factor. */
export function OtherFactorKinds({ kinds, current, onChoose }: OtherFactorKindsProps) {
  const others = kinds.filter((kind) => kind !== current);
  if (others.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-small">
      {others.map((kind) => (
        <button key={kind} type="button" className="link min-h-6" onClick={() => onChoose(kind)}>
          {labels[kind]}
        </button>
      ))}
    </p>
  );
}

const labels: Record<SecondFactorKind, string> = {
  passkey: 'Use a passkey',
  app: 'Use an authenticator app',
  recovery_code: 'Use a recovery code',
};
