/**
 * A line of a CSV file (RFC 4180). A cell that a spreadsheet would read as a formula gets a leading
 * apostrophe, which spreadsheets do not show: other people choose the names and addresses in it. Some
 * read the full-width forms of the characters like the characters.
 *
 * In many countries, Excel separates cells by semicolons, and other programs by tabs. So what follows
 * one of these in a cell is treated as a cell too, also if it begins with quotation marks.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(disarmed(cell ?? ''))).join(',')}\r\n`;
}

function disarmed(cell: string): string {
  const isFormula = /^[=+\-@＝＋－＠\t\r]/.test(cell);
  const parts = cell.replaceAll(/[;\t](?="*[=+\-@＝＋－＠\r])/g, "$&'");
  return isFormula ? `'${parts}` : parts;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
