import type { FooterLine, MailBody } from './mail-body.ts';

/**
 * An email as HTML for email programs: tables for layout and inline styles, which all of them
 * support, and nothing that is fetched. Outlook for Windows, which renders with Word and does not
 * know `max-width`, gets a table of a fixed width in a conditional comment.
 */
export function toHtml(body: MailBody): string {
  const { product, heading, greeting, paragraphs, facts, action, closing, footer } = body;
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escape(heading)}</title>
<style>${sheet}</style>
</head>
<body class="ground" style="margin:0;padding:0;${colors.ground}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escape(paragraphs[0] ?? '')}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="ground" style="${colors.ground}">
<tr><td align="center" class="margin" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left">
<tr><td class="ink" style="padding:0 4px 16px;${font}font-size:14px;line-height:20px;font-weight:600;${colors.ink}">${escape(product)}</td></tr>
<tr><td class="card" style="padding:32px;border-radius:10px;${colors.card}">
<h1 class="ink" style="margin:0 0 16px;${font}font-size:20px;line-height:28px;font-weight:600;${wrap}${colors.ink}">${escape(heading)}</h1>
${[greeting, ...paragraphs].map((text) => (text === null ? '' : paragraph(text))).join('\n')}
${facts.length === 0 ? '' : factTable(facts)}
${button(action)}
${closing.map((text) => paragraph(text, 'margin:20px 0 0;')).join('\n')}
</td></tr>
<tr><td class="faint" style="padding:20px 4px 0;${font}font-size:13px;line-height:20px;${wrap}${colors.faint}">
${footer.map(footerLine).join('<br>\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}

/** The dashboard's colors (app/styles/tokens.css) in a form that email programs support. */
const colors = {
  ground: 'background-color:#f7f6f4;',
  card: 'background-color:#ffffff;border:1px solid #dfdedb;',
  ink: 'color:#1d1c19;',
  text: 'color:#4a4945;',
  faint: 'color:#696763;',
  line: 'border-top:1px solid #dfdedb;',
};

const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .margin { padding: 20px 12px !important; }
  .card { padding: 24px 20px !important; }
}
@media (prefers-color-scheme: dark) {
  .ground { background-color: #0d0c0b !important; }
  .card { background-color: #181716 !important; border-color: #31302e !important; }
  .ink { color: #efeeec !important; }
  .text { color: #bab9b6 !important; }
  .faint { color: #959591 !important; }
  .line { border-color: #31302e !important; }
  .button { background-color: #0b7997 !important; }
}
`;

const font =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";

/** A long name or URL wraps, even on the narrowest screen. */
const wrap = 'overflow-wrap:anywhere;word-break:break-word;';

function paragraph(text: string, margin = 'margin:0 0 16px;'): string {
  return `<p class="text" style="${margin}${font}font-size:15px;line-height:24px;${wrap}${colors.text}">${escape(text)}</p>`;
}

function factTable(facts: MailBody['facts']): string {
  const rows = facts.map(({ label, value }) => {
    const cell = `padding:8px 0;vertical-align:top;${font}font-size:14px;line-height:20px;`;
    return `<tr>
<td class="line faint" width="112" style="width:112px;${cell}padding-right:16px;${colors.line}${colors.faint}">${escape(label)}</td>
<td class="line ink" style="${cell}${wrap}${colors.line}${colors.ink}">${escape(value)}</td>
</tr>`;
  });
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px;border-collapse:collapse">
${rows.join('\n')}
</table>`;
}

/** Outlook for Windows ignores the padding of a link, and uses that of the cell instead. */
function button({ label, url }: MailBody['action']): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 0">
<tr><td class="button" bgcolor="#006580" style="border-radius:7px;background-color:#006580;mso-padding-alt:10px 18px">
<a href="${escape(url)}" style="display:inline-block;padding:10px 18px;${font}font-size:15px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${escape(label)}</a>
</td></tr>
</table>`;
}

function footerLine({ text, link }: FooterLine): string {
  if (!link) return escape(text);
  const style = `${colors.faint}text-decoration:underline`;
  const anchor = `<a class="faint" href="${escape(link.url)}" style="${style}">${escape(link.label)}</a>`;
  return text === '' ? anchor : `${escape(text)} ${anchor}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
