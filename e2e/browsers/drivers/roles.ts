/**
 * The roles that the journeys look for, and which elements can have them: WebDriver can ask for the
 * role of an element, not for the elements of a role.
 */
export const candidates = {
  alertdialog: '[role=alertdialog]',
  button: 'button, [role=button]',
  cell: 'td, [role=cell]',
  checkbox: 'input[type=checkbox], [role=checkbox]',
  dialog: 'dialog, [role=dialog]',
  heading: 'h1, h2, h3, h4',
  link: 'a[href]',
  menuitem: '[role=menuitem]',
  radio: 'input[type=radio], [role=radio]',
  status: 'output, [role=status]',
  table: 'table, [role=table]',
  /** What is typed into. ARIA has a role for text only, and none for passwords and dates. */
  field: 'input, textarea',
} as const;

export type Role = keyof typeof candidates;
