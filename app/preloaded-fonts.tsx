/**
 * Has the browser fetch the fonts of every page beside its styles, which name them. Text that is laid
 * out before its font arrives moves when it does.
 */
export function PreloadedFonts() {
  return FONTS.map((font) => (
    <link key={font} rel="preload" as="font" type="font/woff2" crossOrigin="" href={font} />
  ));
}

// The bundler puts the address of the same file here that it writes into the styles.
const FONTS = [
  String(
    new URL(
      '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
      import.meta.url,
    ),
  ),
  String(
    new URL(
      '../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
      import.meta.url,
    ),
  ),
];
