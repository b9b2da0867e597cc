import type { ReactNode } from 'react';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { formatDuration } from '#lib/time.ts';

export type GraceChoice = { seconds: number; label: string };

type GracePeriodFieldProps = {
  /** Forms a sentence with each choice: "The old token ends" – "In 24 hours". */
  legend: string;
  choices: readonly GraceChoice[];
  value: number;
  onChange: (seconds: number) => void;
  help: ReactNode;
};

/** The field for how long an old token or secret stays valid in addition to the new one. */
export function GracePeriodField({ choices, value, onChange, ...field }: GracePeriodFieldProps) {
  return (
    <Segmented
      {...field}
      segments={choices.map(({ seconds, label }) => ({ value: String(seconds), label }))}
      value={String(value)}
      onChange={(seconds) => onChange(Number(seconds))}
    />
  );
}

export function labelGrace(seconds: readonly number[]): GraceChoice[] {
  return seconds.map((each) => ({
    seconds: each,
    label: each === 0 ? 'Now' : `In ${formatDuration(each)}`,
  }));
}
