/**
 * The roles that the journeys look for, with a selector for the elements that can have each.
 * WebDriver returns the role of an element, but not the elements with a role.
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
  /** Text fields. ARIA has a role for text only, and none for passwords and dates. */
  field: 'input, textarea',
} as const;

export type Role = keyof typeof candidates;
