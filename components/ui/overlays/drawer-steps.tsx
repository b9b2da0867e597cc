import { ArrowDown, ArrowUp } from 'lucide-react';
import { Button } from '../buttons/button.tsx';

type DrawerStepsProps = {
  /** What the drawer shows: "delivery". */
  noun: string;
  /** The uuid of what it shows. */
  shown: string | null;
  /** What the table lists, newest first. */
  listed: readonly { uuid: string }[];
  onOpen: (uuid: string) => void;
};

/** The buttons of a drawer that lead to the next newer and older one of the table. */
export function DrawerSteps({ noun, shown, listed, onOpen }: DrawerStepsProps) {
  const position = listed.findIndex(({ uuid }) => uuid === shown);
  if (position === -1) return null;
  const steps = [
    { way: 'Newer', icon: <ArrowUp />, to: listed[position - 1], end: 'newest' },
    { way: 'Older', icon: <ArrowDown />, to: listed[position + 1], end: 'oldest' },
  ];
  return (
    <>
      <span role="status" className="sr-only">
        {position + 1} of {listed.length} shown
      </span>
      {steps.map(({ way, icon, to, end }) => (
        <Button
          key={way}
          variant="ghost"
          size="small"
          icon={icon}
          disabledReason={to ? undefined : `This is the ${end} ${noun} in the list.`}
          className="aria-disabled:bg-transparent aria-disabled:[&>svg]:opacity-50"
          onClick={() => to && onOpen(to.uuid)}
        >
          <span className="sr-only">
            {way} {noun}
          </span>
        </Button>
      ))}
    </>
  );
}
