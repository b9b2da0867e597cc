import { OwnMenu } from '#components/shell/frame/own-menu/own-menu.tsx';
import { MenuAnchor, MenuLink, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';
import { type DeskLink, useDeskLinks } from './use-desk-links.tsx';

type DeskMenuProps = {
  desk: SupportDesk;
  /** Shows only the avatar, for the bar on narrow screens, where the menu replaces the sidebar. */
  isAvatarOnly?: boolean;
};

export function DeskMenu({ desk, isAvatarOnly = false }: DeskMenuProps) {
  return (
    <OwnMenu
      person={desk.person}
      role={desk.is_installation_support ? 'Support, all accounts' : 'Your accounts'}
      label={`${desk.person.name}. Your menu`}
      isAvatarOnly={isAvatarOnly}
    >
      {isAvatarOnly && <DeskItems desk={desk} />}
    </OwnMenu>
  );
}

/** The links of the sidebar on wide screens. */
function DeskItems({ desk }: { desk: SupportDesk }) {
  const { support, operator, recent, documentation } = useDeskLinks(desk);
  return [support, operator, recent, [documentation]].map(
    (links) =>
      links.length > 0 && (
        <div key={links[0]?.href}>
          {links.map((link) => (
            <DeskItem key={link.href} {...link} />
          ))}
          <MenuSeparator />
        </div>
      ),
  );
}

function DeskItem({ href, label, icon, waiting, opens }: DeskLink) {
  if (opens !== 'page') {
    return (
      <MenuAnchor icon={icon} href={href} opensTab={opens === 'tab'}>
        {label}
      </MenuAnchor>
    );
  }
  return (
    <MenuLink icon={icon} href={href}>
      {label}
      {waiting !== null && <span className="text-ink-3 tabular-nums"> {waiting} waiting</span>}
    </MenuLink>
  );
}
