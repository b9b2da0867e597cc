import type { SecondFactorKind } from '#lib/contract/people/second-factors.ts';
import type { useFactorForm } from './use-factor-form.ts';

type OtherFactorKindsProps = {
  form: Pick<ReturnType<typeof useFactorForm>, 'kind' | 'choose' | 'clearFailure'>;
  kinds: readonly SecondFactorKind[];
};

export function OtherFactorKinds({ form, kinds }: OtherFactorKindsProps) {
  const others = kinds.filter((kind) => kind !== form.kind);
  if (others.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-small">
      {others.map((kind) => (
        <button
          key={kind}
          type="button"
          className="link min-h-6 max-sm:min-h-11 pointer-coarse:min-h-11"
          onClick={() => {
            form.clearFailure();
            form.choose(kind);
          }}
        >
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
