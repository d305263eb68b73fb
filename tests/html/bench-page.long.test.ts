import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { blindPage } from '../../activities/reporting/blind/blind-sheet';
import { BenchPages } from '../../activities/reporting/html/bench-pages';
import { reportOptions } from '../../activities/reporting/report-options';
import { writeFileWhole } from '../../activities/reporting/write-file';
import { reportBench } from '../../core/report/bench-report';
import { blindSample } from '../../core/report/blind-sample';
import type { MadeUpBench } from '../../scripts/made-up/made-up-bench';
import { hostileReason, hostileRecord } from '../activities/reporting/hostile-texts';
import { BENCH_ID, madeUp } from '../core/report/made-up';
import { findChromium, openBrowser } from './browser';

const executable = findChromium();
if (executable === null) {
  process.stderr.write(
    '\n*** NO CHROMIUM: the pages are not looked at. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.\n\n',
  );
}
const withChromium = executable === null ? describe.skip : describe;

/** Screenshots stay there when SCREENSHOTS_DIR names a folder. */
const SCREENSHOTS = process.env.SCREENSHOTS_DIR;

/** Of each plot: which of its drawings is shown, and how high its smallest text is. */
const PLOTS_SEEN = `[...document.querySelectorAll('.plot')].map((plot) => {
  const visible = [...plot.querySelectorAll('svg')].filter((svg) => svg.getBoundingClientRect().width > 0);
  const heights = [...visible[0].querySelectorAll('text')].map((text) => text.getBoundingClientRect().height);
  return { names: visible.map((svg) => svg.classList[0]), least: Math.min(...heights) };
})`;

const SIDES_SEEN = `[...document.querySelectorAll('#m3 .side')].map((side) => {
  const { left, width } = side.getBoundingClientRect();
  return { left, width, text: side.querySelector('.text').textContent };
})`;

/** Texts below a contrast of 4.5, each with its own: colours as the browser mixes them, by WCAG's formula. */
const PALE_TEXTS = `(() => {
  const rgba = (colour) => {
    const [r, g, b, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
    return [r, g, b, alpha];
  };
  const over = (upper, lower) => [0, 1, 2].map((i) => upper[i] * upper[3] + lower[i] * (1 - upper[3]));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (element) => {
    const own = rgba(getComputedStyle(element).backgroundColor);
    return element.parentElement === null ? over(own, [255, 255, 255]) : over(own, behind(element.parentElement));
  };
  return [...document.querySelectorAll('main *')].flatMap((element) => {
    if (element.closest('svg, script') || element.getClientRects().length === 0) return [];
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) return [];
    const back = behind(element);
    const ratio = contrast(over(rgba(getComputedStyle(element).color), back), back);
    return ratio < 4.5 ? [element.tagName + '.' + element.className + ' ' + ratio.toFixed(2)] : [];
  });
})()`;

withChromium('in a real browser', () => {
  let browser: Browser;
  let folder: string;
  let problems: string[] = [];
  const placeOf = (name: string) => `file://${join(folder, name, `${BENCH_ID}.html`)}`;

  beforeAll(async () => {
    browser = await openBrowser(executable!);
    folder = mkdtempSync(join(tmpdir(), 'pages-'));
    const plain = await madeUp();
    write('plain', plain);
    const hostile = await madeUp({ reword: hostileRecord, reason: hostileReason });
    write('hostile', hostile);
    writeBlindSheet('plain', plain);
    writeBlindSheet('hostile', hostile);
    const candidates = Array.from(
      { length: 14 },
      (_, i) => `a-label-of-some-length-${i}[raw]=sim:alder@direct`,
    );
    write('wide', await madeUp({ input: { ...plain.record.run.input, candidates, n: 1, matches: 1 } }));
    write('many', await madeUp({ input: { ...plain.record.run.input, n: 2, matches: 100 } }));
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    problems = [];
  });

  function writeBlindSheet(name: string, { record }: MadeUpBench): void {
    writeFileWhole(join(folder, name, 'blind.html'), blindPage(record, blindSample(record, 6)));
  }

  function write(name: string, { record, attempts }: MadeUpBench): void {
    const pages = new BenchPages(record, reportBench(record, reportOptions()));
    for (const attempt of attempts) pages.add([attempt]);
    for (const page of pages.rest()) writeFileWhole(join(folder, name, page.name), page.text);
  }

  async function open(url: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) problems.push(`asked for ${request.url()}`);
    });
    await page.goto(url);
    return page;
  }

  async function shoot(page: Page, name: string): Promise<void> {
    if (!SCREENSHOTS) return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  }

  // What runs in the page is text: this program has no DOM, and its types should not have one either.
  const overflow = (page: Page) =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  const copiedTexts = (page: Page, match: string) =>
    page.waitForFunction(`document.querySelectorAll('${match} .side .text').length === 2`);

  test.each([
    ['plain', 380, 'light'],
    ['plain', 380, 'dark'],
    ['plain', 1400, 'light'],
    ['plain', 1400, 'dark'],
    ['hostile', 380, 'light'],
    ['hostile', 1400, 'dark'],
    ['many', 380, 'dark'],
    ['many', 1400, 'light'],
  ] as const)(
    '%s at %i px, %s: nothing wider than the page, no word on the console, nothing fetched',
    async (name, width, scheme) => {
      const page = await open(placeOf(name), width, scheme);
      await shoot(page, `${name}-${width}-${scheme}`);
      expect(await overflow(page)).toBe(0);
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      await page.waitForTimeout(100);
      expect(await overflow(page)).toBe(0);
      expect(problems).toEqual([]);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      await page.close();
    },
  );

  test.each([
    ['plain', 380],
    ['plain', 1400],
    ['hostile', 380],
    ['hostile', 1400],
  ] as const)(
    'a blind sheet, %s at %i px: no overflow, no word on the console, nothing fetched',
    async (name, width) => {
      const page = await open(`file://${join(folder, name, 'blind.html')}`, width);
      if (name === 'plain') await shoot(page, `blind-${name}-${width}`);
      expect(await overflow(page)).toBe(0);
      expect(problems).toEqual([]);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      await page.close();
    },
  );

  test('a blind sheet counts its answers and saves them as a table of 6 rows, comments without a formula', async () => {
    const page = await open(`file://${join(folder, 'plain', 'blind.html')}`, 1400);
    await page.locator('fieldset[data-item="1"] input[value=left]').check();
    await page.locator('fieldset[data-item="2"] input[value=tie]').check();
    await page.locator('fieldset[data-item="2"] input[type=text]').fill('=1+1 "quoted"');
    expect(await page.locator('output').textContent()).toBe('2 of 6 answered');
    const saving = page.waitForEvent('download');
    await page.locator('button[type=submit]').click();
    const [header, ...rows] = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\n');
    expect(header).toBe('sample,item,answer,comment');
    expect(rows.map((row) => row.split(',').slice(1).join(','))).toEqual([
      '1,"left",""',
      `2,"tie","'=1+1 ""quoted"""`,
      ...[3, 4, 5, 6].map((item) => `${item},"",""`),
    ]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test.each(['light', 'dark'] as const)(
    '%s: all text stands out by 4.5 to 1 and more, as WCAG 2.2 asks of AA (1.4.3)',
    async (scheme) => {
      const page = await open(placeOf('plain'), 1400, scheme);
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      expect(await page.evaluate(PALE_TEXTS)).toEqual([]);
      await page.close();
    },
  );

  test.each(['plain', 'hostile', 'wide'])(
    'on paper, 718 px wide, no column of %s is cut: nothing can be scrolled there',
    async (name) => {
      const page = await open(placeOf(name), 718);
      await page.emulateMedia({ media: 'print' });
      expect(await overflow(page)).toBe(0);
      expect(
        await page.evaluate(
          "[...document.querySelectorAll('.scroll > table')].filter((table) => table.getBoundingClientRect().right > 719).length",
        ),
      ).toBe(0);
      await page.close();
    },
  );

  test('one of two widths of each of the 5 plots is shown, and text on it is at least 10 px high', async () => {
    for (const [width, shown] of [
      [380, 'narrow'],
      [1400, 'wide'],
    ] as const) {
      const page = await open(placeOf('plain'), width);
      const plots = await page.evaluate<{ names: string[]; least: number }[]>(PLOTS_SEEN);
      expect(plots).toHaveLength(5);
      for (const { names, least } of plots) {
        expect(names).toEqual([shown]);
        expect(least).toBeGreaterThanOrEqual(10);
      }
      await page.close();
    }
  });

  test('an opened match shows both hypotheses’ own texts side by side, both verdicts, and a transcript on demand', async () => {
    const page = await open(placeOf('plain'), 1400);
    const match = page.locator('#m3');
    await match.locator('summary').first().click();
    await copiedTexts(page, '#m3');
    const sides = await page.evaluate<{ left: number; width: number; text: string }[]>(SIDES_SEEN);
    expect(sides[0]!.left + sides[0]!.width).toBeLessThanOrEqual(sides[1]!.left);
    expect(sides[0]!.text).not.toBe(sides[1]!.text);
    expect(await match.locator('.verdict').count()).toBe(2);
    await match.locator('button').first().click();
    const body = page.locator('#transcript-body');
    await body.locator('pre').first().waitFor();
    expect(await body.textContent()).toContain('You are a judge.');
    expect(await body.textContent()).toContain('record_verdict');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog').isVisible()).toBe(false);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('by keyboard alone: j to the first slot, Enter opens it, Tab reaches its transcript, Enter shows it', async () => {
    const page = await open(placeOf('plain'), 1400);
    await page.locator('#hypotheses h2').scrollIntoViewIfNeeded();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    const opened = page.locator('details.hypothesis[open]');
    expect(await opened.count()).toBe(1);
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab');
      const isButton = await page.evaluate("document.activeElement.matches('button[data-transcript]')");
      if (isButton) break;
    }
    await page.keyboard.press('Enter');
    await page.locator('#transcript-body pre').first().waitFor();
    expect(await page.locator('dialog').isVisible()).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('filters leave the matches of one candidate (12 of 24), of one outcome, and slots by their words', async () => {
    const page = await open(placeOf('plain'), 1400);
    const form = page.locator('form[data-filters=match]');
    await form.locator('select[name=label]').selectOption('oak[pipe]');
    expect(await form.locator('output').textContent()).toBe('12 of 24');
    await form.locator('select[name=kind]').selectOption('flip');
    const flips = await page.locator('details.match:not([hidden])').count();
    expect(await form.locator('output').textContent()).toBe(`${flips} of 24`);
    await page.locator('form[data-filters=hypothesis] input').fill('oak[raw]');
    expect(await page.locator('details.hypothesis:not([hidden])').count()).toBe(3);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a page of 250 of 600 matches opens from the bench’s page, and leads back', async () => {
    const page = await open(placeOf('many'), 380);
    await page.locator('.pages a').first().click();
    await page.waitForURL(/-matches\/001\.html$/);
    expect(await page.locator('details.match').count()).toBe(250);
    expect(await overflow(page)).toBe(0);
    await page.locator('#m0 summary').first().click();
    await copiedTexts(page, '#m0');
    await page.locator('header a').click();
    await page.waitForURL(new RegExp(`${BENCH_ID}\\.html$`));
    expect(problems).toEqual([]);
    await page.close();
  });
});
