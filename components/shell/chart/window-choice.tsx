import { Segmented } from '#components/ui/inputs/segmented.tsx';
import type { StatisticsWindow } from '#lib/contract/webhooks/webhook-statistics.ts';
import { statisticsWindows, windowChoices } from './statistics-windows.ts';

type WindowChoiceProps = { value: StatisticsWindow; onChange: (window: StatisticsWindow) => void };

export function WindowChoice({ value, onChange }: WindowChoiceProps) {
  return (
    <Segmented
      legend="Window"
      isLegendHidden
      fit
      className="max-sm:w-full"
      segments={windowChoices.map((window) => ({
        value: window,
        label: statisticsWindows[window].short,
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
