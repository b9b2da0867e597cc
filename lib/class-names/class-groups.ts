// Groups of classes that set the same property: of each group, `cn` keeps the last class. There is
// a group wherever two classes of the dashboard set the same property. The groups of all of
// Tailwind would make every page heavier. If a class needs a group that is missing here,
// `cn.test.ts` fails.

const words = (text: string) => text.split(' ');

/** Groups of classes that begin with the group's name, such as `p`, `p-4` and `-p-px`. */
const groupsByPrefix = (prefixes: string, isValue: (value: string) => boolean) =>
  Object.fromEntries(words(prefixes).map((prefix) => [prefix, [{ [prefix]: ['', isValue] }]]));

const isAny = () => true;
const isNumeric = (value: string) => /^\[?\d/.test(value);

export const classGroups = {
  ...groupsByPrefix('m mx my mt mr mb ml p px py pt pr pb pl gap gap-x gap-y', isAny),
  ...groupsByPrefix('size w min-w max-w h min-h max-h basis shrink order z', isAny),
  ...groupsByPrefix('inset inset-x inset-y top right bottom left translate-x translate-y', isAny),
  ...groupsByPrefix('grid-cols grid-rows auto-cols col-start col-span row-start row-span', isAny),
  ...groupsByPrefix('items justify justify-items justify-self self align', isAny),
  ...groupsByPrefix('overflow overflow-x overflow-y line-clamp leading tracking whitespace', isAny),
  ...groupsByPrefix('rounded rounded-t rounded-r rounded-b rounded-l border-spacing', isAny),
  ...groupsByPrefix('bg fill stroke shadow opacity outline-offset resize rotate scale', isAny),
  ...groupsByPrefix('transition duration decoration pointer-events', isAny),
  ...groupsByPrefix(
    'border border-t border-r border-b border-l border-x border-y outline',
    isNumeric,
  ),
  position: words('absolute fixed relative sticky'),
  display: words(
    'block contents flex grid hidden inline inline-block inline-flex inline-grid table',
  ),
  'flex-size': [{ flex: [isNumeric] }],
  'flex-direction': words('flex-col flex-col-reverse flex-row-reverse'),
  'align-content': words('content-center content-start'),
  'border-color': [{ border: [isAny] }],
  'border-collapse': words('border-collapse border-separate'),
  'font-family': words('font-mono font-sans'),
  'font-weight': words('font-medium font-normal font-semibold'),
  'font-size': [
    { text: words('title heading body field small micro code secret figure') },
    { text: [isNumeric] },
  ],
  'text-color': [{ text: [isAny] }],
  'text-align': words('text-left text-center text-right'),
  'text-wrap': words('text-balance text-pretty'),
  'text-overflow': words('text-ellipsis truncate'),
  'text-decoration': words('line-through no-underline underline'),
};

/** The groups whose classes also replace classes of other groups. */
export const conflictingClassGroups = {
  m: words('mx my mt mr mb ml'),
  mx: words('mr ml'),
  my: words('mt mb'),
  p: words('px py pt pr pb pl'),
  px: words('pr pl'),
  py: words('pt pb'),
  gap: words('gap-x gap-y'),
  size: words('w h'),
  'flex-size': words('basis shrink'),
  inset: words('inset-x inset-y top right bottom left'),
  'inset-x': words('right left'),
  'inset-y': words('top bottom'),
  overflow: words('overflow-x overflow-y'),
  'line-clamp': words('display overflow'),
  'font-size': words('leading'),
  rounded: words('rounded-t rounded-r rounded-b rounded-l'),
  border: words('border-x border-y border-t border-r border-b border-l'),
  'border-x': words('border-r border-l'),
  'border-y': words('border-t border-b'),
};
