import { Ellipsis, LogOut } from 'lucide-react';
import { type ReactElement, type ReactNode, useRef, useSyncExternalStore } from 'react';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import { type ChosenTheme, parseTheme, themeCookie } from '#lib/cookies/theme-cookie.ts';
import { LazySignOutDialog } from '../../identity/sign-out/lazy-sign-out-dialog.tsx';
import { useSignOut } from '../../identity/sign-out/use-sign-out.ts';
import { Avatar } from './avatar.tsx';

type OwnMenuProps = {
  person: { name: string; email: string };
  /** What stands below the name. */
  role: string;
  /** The accessible name of button and menu. */
  label: string;
  /** Shows only the avatar, for the bar on narrow screens. */
  isAvatarOnly: boolean;
  /** What the frame adds between email address and theme; it ends with a separator. */
  children?: ReactNode;
};

/** The menu with the email address of the person who is signed in, theme, and sign-out. */
export function OwnMenu({ person, role, label, isAvatarOnly, children }: OwnMenuProps) {
  const [theme, setTheme] = useTheme();
  const trigger = useRef<HTMLButtonElement>(null);
  const signingOut = useSignOut();
  const { leave } = useNavigation();
  return (
    <>
      <Menu
        label={label}
        triggerRef={trigger}
        side={isAvatarOnly ? 'bottom' : 'top'}
        align={isAvatarOnly ? 'end' : 'start'}
        isAnchorWide={!isAvatarOnly}
        trigger={isAvatarOnly ? avatarTrigger(person.name, label) : nameTrigger(person.name, role)}
      >
        <p className="truncate px-2 pt-1.5 pb-1 text-micro text-ink-3">{person.email}</p>
        <MenuSeparator />
        {children}
        <MenuChoice label="Appearance" value={theme} choices={themes} onChange={setTheme} />
        <MenuSeparator />
        <MenuItem icon={<LogOut />} onSelect={() => leave(signingOut.signOut)}>
          Sign out
        </MenuItem>
      </Menu>
      <LazySignOutDialog signingOut={signingOut} finalFocus={trigger} />
    </>
  );
}

/** Opens a person's menu in a sidebar. @param role what stands below the name */
function nameTrigger(name: string, role: string): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      className="mt-2 flex w-full cursor-default items-center gap-2.5 rounded-3 px-2 py-1.5 text-left hover:bg-fill-hover aria-expanded:bg-fill-active"
    >
      <Avatar name={name} isRound />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-small leading-4.5 font-medium">{name}</span>
        <span className="block truncate text-micro text-ink-3">{role}</span>
        <span className="sr-only">Your menu</span>
      </span>
      <Ellipsis aria-hidden className="text-ink-3" />
    </button>
  );
}

/** Opens a person's menu in the bar on narrow screens. */
function avatarTrigger(name: string, label: string): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      aria-label={label}
      className="grid size-11 shrink-0 cursor-default place-items-center rounded-3 hover:bg-fill-hover aria-expanded:bg-fill-active"
    >
      <Avatar name={name} isRound />
    </button>
  );
}

type Theme = 'system' | ChosenTheme;

const themes = [
  { value: 'system', label: 'Same as system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { value: Theme; label: string }[];

/** The theme of this device, in a cookie, so that the server renders pages with it. */
function useTheme(): [theme: Theme, choose: (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, read, () => 'system' as const);
  return [theme, choose];
}

const yearS = 31_536_000;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Theme {
  return parseTheme(document.documentElement.dataset['theme']) ?? 'system';
}

function choose(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  const age = theme === 'system' ? 0 : yearS;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
  for (const listener of listeners) listener();
}
