'use client';

import { Menu as Base } from '@base-ui/react/menu';
import { Check, Ellipsis } from 'lucide-react';
import Link from 'next/link';
import type { ReactElement, ReactNode, RefObject } from 'react';

import { cn } from '#lib/cn.ts';

import { IconButton } from './icon-button.tsx';

export type MenuProps = {
  /** Names the button and the menu, with the object: "Actions for Staging". */
  label: string;
  /** Another button than the three dots. */
  trigger?: ReactElement<Record<string, unknown>>;
  /** Where a dialog opened from here gives the focus back to: its `finalFocus`. */
  triggerRef?: RefObject<HTMLButtonElement | null>;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  /** As wide as its button rather than 216. */
  isAnchorWide?: boolean;
  children: ReactNode;
};

/** Acts upon one thing. A destructive one comes last, behind a `MenuLine`, with the thing's name. */
export function Menu({
  label,
  trigger,
  triggerRef,
  align = 'end',
  side = 'bottom',
  isAnchorWide = false,
  children,
}: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger
        ref={triggerRef}
        render={trigger ?? <IconButton label={label} icon={<Ellipsis />} />}
      />
      <Base.Portal>
        <Base.Positioner
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-(--z-menu)"
        >
          <Base.Popup
            aria-label={label}
            className={cn(
              'max-h-(--available-height) overflow-y-auto rounded-4 bg-overlay p-1 shadow-menu outline-none',
              'origin-(--transform-origin) transition-[opacity,scale] duration-(--base) data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0',
              isAnchorWide ? 'w-(--anchor-width) min-w-54' : 'w-54 max-sm:w-58',
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export type MenuItemProps = {
  icon?: ReactNode;
  tone?: 'danger';
  onSelect: () => void;
  children: ReactNode;
};

export function MenuItem({ icon, tone, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item onClick={onSelect} className={cn(itemClass, tone === 'danger' && dangerClass)}>
      {icon}
      <span className="truncate">{children}</span>
    </Base.Item>
  );
}

export type MenuLinkProps = { icon?: ReactNode; href: string; children: ReactNode };

/** Leads to a page of its own. */
export function MenuLink({ icon, href, children }: MenuLinkProps) {
  return (
    <Base.LinkItem closeOnClick render={<Link href={href} />} className={itemClass}>
      {icon}
      <span className="truncate">{children}</span>
    </Base.LinkItem>
  );
}

export type MenuChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string; icon?: ReactNode }[];
  onChange: (value: Value) => void;
};

/** One of several, with a tick at the right. */
export function MenuChoice<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: MenuChoiceProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-micro font-medium text-ink-3">
        {label}
      </Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: Value) => onChange(next)}>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} className={itemClass}>
            {choice.icon}
            <span className="truncate">{choice.label}</span>
            <Base.RadioItemIndicator className="ml-auto">
              <Check aria-hidden className="text-accent!" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuLine() {
  return <Base.Separator className="mx-2 my-1 h-px bg-line" />;
}

const itemClass = cn(
  'flex h-8 w-full cursor-default items-center gap-2.5 rounded-2 px-2 text-body text-ink no-underline outline-none select-none',
  'data-highlighted:bg-fill-active max-sm:h-11 pointer-coarse:h-11 [&_svg]:text-ink-3',
);
const dangerClass = 'text-bad [&_svg]:text-bad';
