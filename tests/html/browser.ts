import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Where a Chromium is; null where there is none. */
export function findChromium(): string | null {
  return PLACES.find((place) => place !== undefined && existsSync(place)) ?? null;
}

export function openBrowser(executablePath: string): Promise<Browser> {
  // Chromium's sandbox refuses root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}
