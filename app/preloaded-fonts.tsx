/** Preloads the fonts of every page: text would move when its font arrives after the layout. */
export function PreloadedFonts() {
  return fonts.map((font) => (
    <link key={font} rel="preload" as="font" type="font/woff2" crossOrigin="" href={font} />
  ));
}

// The bundler replaces these with the URLs that it writes into the styles.
const fonts = [
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
