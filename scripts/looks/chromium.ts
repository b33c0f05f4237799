// The browser that tests and looks drive: the machine's own where there is one, without a window where it comes so, else what
// playwright brought.
import { existsSync } from 'node:fs';
import { chromium, type Browser, type LaunchOptions } from '@playwright/test';

const OWN = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

export const openChromium = (args: string[] = [], options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({
    ...options,
    ...(OWN && { executablePath: OWN }),
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
  });
