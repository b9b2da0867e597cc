import type { Locator } from '@playwright/test';

/**
 * The texts that have too little contrast with their background in forced colors. axe cannot tell:
 * it reads a text's color from `-webkit-text-fill-color`, which Chromium does not change. This
 * finds texts that keep the page's colors (`forced-color-adjust: none`), or that mix system
 * colors that do not belong together. Disabled controls are exempt, as in WCAG. Call it in light
 * mode, where `Canvas` is also the background of a canvas.
 */
export async function findWeakTexts(root: Locator): Promise<string[]> {
  return await root.evaluate(weakTexts);
}

function weakTexts(root: Element): string[] {
  type Color = [red: number, green: number, blue: number, alpha: number];
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map<string, Color>();

  /** Any CSS color, each component from 0 to 1. */
  function parse(css: string): Color {
    const before = known.get(css);
    if (before || canvas === null) return before ?? [0, 0, 0, 0];
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    const color: Color = [red / 255, green / 255, blue / 255, alpha / 255];
    known.set(css, color);
    return color;
  }

  function over([red, green, blue, alpha]: Color, below: Color): Color {
    const mix = (top: number, bottom: number) => top * alpha + bottom * (1 - alpha);
    return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
  }

  function groundOf(element: Element | null): Color {
    if (element === null) return parse('Canvas');
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, groundOf(element.parentElement));
  }

  function luminanceOf([red, green, blue]: Color): number {
    const linear = (part: number) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  }

  function contrastOf(element: Element): number {
    const ground = groundOf(element);
    const text = over(parse(getComputedStyle(element).color), ground);
    const [dark = 0, light = 0] = [luminanceOf(text), luminanceOf(ground)].toSorted(
      (a, b) => a - b,
    );
    return (light + 0.05) / (dark + 0.05);
  }

  return [root, ...root.querySelectorAll('*')]
    .filter(
      (element) =>
        [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        ) &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        element.closest(':disabled, [aria-disabled=true], script, style') === null,
    )
    .map((element) => [contrastOf(element), element] as const)
    .filter(([contrast]) => contrast < 4.5)
    .map(([contrast, { textContent }]) => `${contrast.toFixed(2)}: ${textContent?.slice(0, 40)}`);
}
