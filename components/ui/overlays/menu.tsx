import { ArrowUpRight, Check, Ellipsis } from 'lucide-react';
import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useRef,
  useState,
} from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { IconButton } from '../buttons/icon-button.tsx';
import { lazyComponent } from '../rendering/lazy-component.ts';
import { useMenuParts } from './menu-parts.ts';
import { PageLink } from '../navigation/page-link.tsx';

type MenuProps = {
  /** The accessible name of button and menu: "Actions for Staging". */
  label: string;
  /** Replaces the button with three dots. */
  trigger?: ReactElement<Record<string, unknown>>;
  /** The button, as `finalFocus` of dialogs that are opened from the menu. */
  triggerRef?: RefObject<HTMLButtonElement | null>;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  /** As wide as its button instead of 216 px. */
  isAnchorWide?: boolean;
  children: ReactNode;
};

/** A menu of actions on one object. A destructive one comes last and names the object. */
export function Menu({
  label,
  trigger,
  triggerRef,
  align = 'end',
  side = 'bottom',
  isAnchorWide = false,
  children,
}: MenuProps) {
  const own = useRef<HTMLButtonElement | null>(null);
  const anchor = triggerRef ?? own;
  const [opening, setOpening] = useState<'no' | 'press' | 'key'>('no');
  const isOpen = opening !== 'no';

  return (
    <>
      {cloneElement(trigger ?? <IconButton label={label} icon={<Ellipsis />} />, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        // A click from the keyboard has a `detail` of 0.
        onClick: (event: MouseEvent) => setOpening(event.detail === 0 ? 'key' : 'press'),
        onKeyDown(event: KeyboardEvent) {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpening('key');
        },
      })}
      <Popup
        shouldLoad={isOpen}
        label={label}
        isOpen={isOpen}
        onClose={() => setOpening('no')}
        isOpenedByKey={opening === 'key'}
        anchor={anchor}
        align={align}
        side={side}
        isAnchorWide={isAnchorWide}
      >
        {children}
      </Popup>
    </>
  );
}

const Popup = lazyComponent(async () => (await import('./menu-popup.tsx')).MenuPopup);

type MenuItemProps = {
  icon?: ReactNode;
  tone?: 'danger';
  onSelect: () => void;
  children: ReactNode;
};

export function MenuItem({ icon, tone, onSelect, children }: MenuItemProps) {
  const { Item } = useMenuParts();
  return (
    <Item onClick={onSelect} className={cn(itemClass, tone === 'danger' && dangerClass)}>
      {icon}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </Item>
  );
}

type MenuLinkProps = {
  icon?: ReactNode;
  href: string;
  /** Called in addition to following the link, such as to close a sheet. */
  onSelect?: (() => void) | undefined;
  children: ReactNode;
};

export function MenuLink({ icon, href, onSelect, children }: MenuLinkProps) {
  const { LinkItem } = useMenuParts();
  return (
    <LinkItem
      closeOnClick
      render={<PageLink href={href} />}
      onClick={onSelect}
      className={itemClass}
    >
      {icon}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </LinkItem>
  );
}

type MenuAnchorProps = {
  icon?: ReactNode;
  href: string;
  opensTab?: boolean;
  children: ReactNode;
};

/** A menu item that leads out of the frame, by a full page load. */
export function MenuAnchor({ icon, href, opensTab = false, children }: MenuAnchorProps) {
  const { LinkItem } = useMenuParts();
  return (
    <LinkItem
      closeOnClick
      href={href}
      {...(opensTab && { target: '_blank', rel: 'noreferrer' })}
      className={itemClass}
    >
      {icon}
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
      {opensTab && (
        <>
          <ArrowUpRight aria-hidden className="icon-14" />
          <span className="sr-only">, opens in a new tab</span>
        </>
      )}
    </LinkItem>
  );
}

type MenuChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  /** `detail` is a second line. */
  choices: readonly { value: Value; label: string; icon?: ReactNode; detail?: string }[];
  onChange: (value: Value) => void;
  /** Closes the menu once an item is chosen, for a choice that opens a dialog. */
  closesMenu?: boolean;
};

/** A group of items of which one is selected. */
export function MenuChoice<Value extends string>({
  label,
  value,
  choices,
  onChange,
  closesMenu = false,
}: MenuChoiceProps<Value>) {
  const { Group, GroupLabel, RadioGroup, RadioItem, RadioItemIndicator } = useMenuParts();
  return (
    <Group>
      <GroupLabel className="px-2 pt-1.5 pb-1 text-micro font-medium text-ink-3">
        {label}
      </GroupLabel>
      <RadioGroup value={value} onValueChange={(next: Value) => onChange(next)}>
        {choices.map((choice) => (
          <RadioItem
            key={choice.value}
            value={choice.value}
            closeOnClick={closesMenu}
            className={cn(itemClass, choice.detail !== undefined && 'group/item min-h-11')}
          >
            {choice.icon}
            <span className="min-w-0">
              <span className="block wrap-anywhere">{choice.label}</span>
              {choice.detail !== undefined && (
                <span className="block truncate text-micro text-ink-3 group-data-highlighted/item:text-ink-2">
                  {choice.detail}
                </span>
              )}
            </span>
            <RadioItemIndicator className="ml-auto">
              <Check aria-hidden className="text-accent!" />
            </RadioItemIndicator>
          </RadioItem>
        ))}
      </RadioGroup>
    </Group>
  );
}

export function MenuSeparator() {
  const { Separator } = useMenuParts();
  return <Separator className="mx-2 my-1 h-px bg-line" />;
}

const itemClass = cn(
  'flex min-h-8 w-full cursor-default items-center gap-2.5 rounded-2 px-2 text-body text-ink no-underline outline-none select-none',
  'py-1 data-highlighted:bg-fill-active max-sm:min-h-11 pointer-coarse:min-h-11 [&_svg]:text-ink-3',
);
const dangerClass = 'text-bad [&_svg]:text-bad';
