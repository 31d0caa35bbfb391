/** Checks Electron's security checklist in the running app. */
import path from 'node:path';
import { errorCodes } from '../../src/contract/errors.ts';
import { methods } from '../../src/contract/methods.ts';
import { seed } from '../../test/fakes/test-run.ts';
import { buildFolder, expect, test } from './open-app.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

test('The window is sandboxed and isolated, and has no Node access', async ({ open }) => {
  const { app, page } = await open();
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window) throw new Error('there is no window');
    // Missing in Electron's typings, but the only way to read the effective preferences.
    return (
      window.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
    ).getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
  });
  const seen = await page.evaluate(() => ({
    require: typeof Reflect.get(globalThis, 'require'),
    process: typeof Reflect.get(globalThis, 'process'),
    module: typeof Reflect.get(globalThis, 'module'),
    bridge: Object.keys(Reflect.get(globalThis, 'kennel') as object).sort(),
  }));
  expect(seen).toEqual({
    require: 'undefined',
    process: 'undefined',
    module: 'undefined',
    bridge: ['call', 'subscribe'],
  });
});

test('The page cannot change the preload bridge, and only two IPC channels have handlers (T22)', async ({
  open,
}) => {
  const { app, page } = await open();
  const changed = await page.evaluate(() => {
    const kennel = Reflect.get(globalThis, 'kennel') as Record<string, unknown>;
    const before = kennel.call;
    const set = Reflect.set(kennel, 'call', () => 'mine');
    const replaced = Reflect.set(globalThis, 'kennel', {});
    return { set, replaced, same: kennel.call === before, more: Reflect.set(kennel, 'more', 1) };
  });
  expect(changed).toEqual({ set: false, replaced: false, same: true, more: false });
  const channels = await app.evaluate(({ ipcMain }) => {
    const handlers = Reflect.get(ipcMain, '_invokeHandlers') as Map<string, unknown>;
    return {
      handled: [...handlers.keys()].sort(),
      heard: ipcMain.eventNames().filter((name) => name !== 'error'),
    };
  });
  expect(channels).toEqual({ handled: ['kennel:call', 'kennel:subscribe'], heard: [] });
});

test('Shell pages allow no script, and the page cannot trigger their actions (T21)', async ({ open }) => {
  const { page } = await open();
  const answer = await page.evaluate(async () => {
    const { headers, status } = await fetch('/shell.css');
    return { status, policy: headers.get('content-security-policy') };
  });
  expect(answer.status).toBe(200);
  expect(answer.policy).not.toContain('script-src');
  const missing = await page.evaluate(async () => (await fetch('/quit-now')).status);
  expect(missing).toBe(404);
});

test('Every page carries the CSP, and paths cannot escape the renderer folder', async ({ open }) => {
  const { page } = await open();
  expect(page.url()).toMatch(/^kennel:\/\/app\//);
  const answers = await page.evaluate(async () => {
    const paths = [
      '/',
      '/%2e%2e/main/index.js',
      '/..%2fmain%2findex.js',
      '/../package.json',
      '/assets/../../package.json',
      '/none.js',
    ];
    return Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(path);
        return { status: answer.status, policy: answer.headers.get('content-security-policy') };
      }),
    );
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404, 404]);
  expect(new Set(answers.map((answer) => answer.policy))).toEqual(new Set([policy]));
});

test('Inline script, eval and requests to other origins are blocked (T21)', async ({ open }) => {
  const { page } = await open();
  const outcome = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.inlineRan = true';
    document.head.append(script);
    const frame = document.createElement('iframe');
    frame.src = 'https://example.com/';
    document.body.append(frame);
    const tries = {
      inline: Reflect.get(globalThis, 'inlineRan') === true,
      fetched: await fetch('https://example.com/').then(
        () => true,
        () => false,
      ),
      evaluated: false,
      frameUrl: '',
    };
    // As text for a timer, because the debugger that runs this test may use eval itself.
    Reflect.apply(setTimeout, globalThis, ['globalThis.textRan = true', 0]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    tries.evaluated = Reflect.get(globalThis, 'textRan') === true;
    tries.frameUrl = (() => {
      try {
        return frame.contentWindow?.location.href ?? '';
      } catch {
        return 'another origin was loaded';
      }
    })();
    return tries;
  });
  expect(outcome).toMatchObject({ inline: false, fetched: false, evaluated: false });
  expect(['', 'about:blank', 'another origin was loaded']).toContain(outcome.frameUrl);
  const frames = page.frames().map((frame) => frame.url());
  expect(frames.filter((url) => url.startsWith('https://'))).toEqual([]);
});

test('The page cannot navigate away, open windows, gain permissions or download files', async ({ open }) => {
  const { app, page } = await open();
  const asked = await app.evaluate(({ dialog }) => {
    const questions: string[] = [];
    Reflect.set(globalThis, 'questions', questions);
    dialog.showMessageBox = (async (_window: unknown, options: { message: string }) => {
      questions.push(options.message);
      return { response: 0, checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
    return questions.length;
  });
  expect(asked).toBe(0);
  const before = page.url();
  const outcome = await page.evaluate(async () => {
    const opened = ['https://example.com/', 'file:///etc/passwd', 'javascript:1', 'kennel://app/'].map(
      (url) => window.open(url),
    );
    location.href = 'https://example.com/';
    const link = document.createElement('a');
    link.href = 'data:text/plain,hello';
    link.download = 'hello.txt';
    document.body.append(link);
    link.click();
    const permission = await navigator.permissions.query({ name: 'geolocation' }).then(
      ({ state }) => state,
      () => 'denied',
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    return {
      opened: opened.filter((one) => one !== null).length,
      permission,
      notifications: Notification.permission,
    };
  });
  expect(outcome).toEqual({ opened: 0, permission: 'denied', notifications: 'denied' });
  expect(page.url()).toBe(before);
  const seen = () =>
    app.evaluate(({ BrowserWindow }) => ({
      windows: BrowserWindow.getAllWindows().length,
      questions: Reflect.get(globalThis, 'questions') as string[],
    }));
  // Only the https link asks for confirmation, which was answered with Cancel.
  await expect.poll(seen).toEqual({ windows: 1, questions: ['Open example.com outside Kennel?'] });
});

test('The page may reload itself, as its error notice offers', async ({ open }) => {
  const { page } = await open();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const loaded = page.waitForEvent('load');
  await page.evaluate(() => setTimeout(() => location.reload()));
  await loaded;
  await expect(heading).toBeVisible();
});

test('A device gets the identity key only after a native dialog that the page cannot answer (T22)', async ({
  open,
}) => {
  const { app, page } = await open();
  const answer = async (button: number) =>
    app.evaluate(({ dialog }, response) => {
      const shown: string[] = [];
      Reflect.set(globalThis, 'shown', shown);
      dialog.showMessageBox = (async (options: { detail: string }) => {
        shown.push(options.detail);
        return { response, checkboxChecked: false };
      }) as unknown as typeof dialog.showMessageBox;
    }, button);
  const approve = (words: string) =>
    page.evaluate(async (said) => {
      const kennel = Reflect.get(globalThis, 'kennel') as {
        call(method: string, input: unknown): Promise<string>;
      };
      const input = { code: '2345-6789-abcd', words: said };
      const answer = JSON.parse(await kennel.call('devices.enrolApprove', input)) as {
        error?: { code: string };
      };
      return answer.error?.code;
    }, words);
  const shown = () => app.evaluate(() => Reflect.get(globalThis, 'shown') as string[]);
  const words = 'babab cacac didid fofof gugug hahah';
  await answer(0);
  expect(await approve(words)).toBe('cancelled');
  expect(await shown()).toEqual([expect.stringContaining(words)]);
  expect(await approve('Click the right button to update')).toBe('cancelled');
  expect(await shown()).toHaveLength(1);
  await answer(1);
  // The call reaches the host, which refuses it because no account exists.
  expect(await approve(words)).toBe('conflict');
});

test('A thousand random calls return only typed errors (T22)', async ({ open }) => {
  const { app, page } = await open();
  // Methods that accept an empty input would run, for example stop the host.
  const wanting = Object.entries(methods).flatMap(([name, { input }]) =>
    input.safeParse({}).success ? [] : [name],
  );
  const codes = await page.evaluate(
    async ([start, methodNames]) => {
      let state = start;
      const next = (limit: number): number => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        return state % limit;
      };
      const names = [...methodNames, '__proto__', 'constructor', 'toString', '', 'x'.repeat(200)];
      const atoms = [
        null,
        undefined,
        0,
        -1,
        Number.NaN,
        2 ** 60,
        true,
        '',
        '../../etc/passwd',
        'x'.repeat(5000),
        '\u0000',
        '\ud800',
      ];
      const value = (depth: number): unknown => {
        const kind = next(depth > 3 ? 1 : 4);
        if (kind <= 1) return atoms[next(atoms.length)];
        if (kind === 2) return Array.from({ length: next(4) }, () => value(depth + 1));
        const keys = ['agent', 'room', 'text', 'to', '__proto__', 'constructor', 'id', 'limit'];
        return Object.fromEntries(
          Array.from({ length: next(4) }, () => [keys[next(keys.length)], value(depth + 1)]),
        );
      };
      const kennel = Reflect.get(globalThis, 'kennel') as {
        call(method: unknown, input: unknown): Promise<string>;
      };
      const found: Record<string, number> = {};
      for (let round = 0; round < 1000; round += 1) {
        const name = next(10) === 0 ? value(0) : names[next(names.length)];
        const code = await kennel.call(name, value(0)).then(
          (text) => {
            const result = JSON.parse(text) as { ok: boolean; error?: { code: string } };
            return result.ok ? 'ok' : (result.error?.code ?? 'untyped');
          },
          (error) => `thrown: ${error}`,
        );
        found[code] = (found[code] ?? 0) + 1;
      }
      return found;
    },
    [seed, wanting] as const,
  );
  const unexpected = Object.keys(codes).filter(
    (code) => code !== 'ok' && (code === 'internal' || !errorCodes.some((known) => known === code)),
  );
  expect(unexpected, JSON.stringify({ seed, codes })).toEqual([]);
  expect(codes.invalid_input ?? 0).toBeGreaterThan(100);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('A page in another window is refused by the IPC gate (T22)', async ({ open }) => {
  const { app } = await open();
  const preloadFile = path.join(buildFolder, 'preload/index.cjs');
  const answer = await app.evaluate(async ({ BrowserWindow }, preload) => {
    const stranger = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
    const loaded = await stranger.loadURL('kennel://app/').then(() => 'yes', String);
    // Errors inside are returned as values, because a thrown exception loses its message.
    const ask = `(async () => {
      for (let tries = 0; tries < 50 && !window.kennel; tries += 1) await new Promise((r) => setTimeout(r, 100));
      return JSON.parse(await window.kennel.call('agents.list', {}));
    })().catch(String)`;
    const result = await stranger.webContents.executeJavaScript(ask).catch(String);
    stranger.destroy();
    return typeof result === 'string' ? { loaded, result } : result;
  }, preloadFile);
  expect(answer).toMatchObject({ ok: false, error: { code: 'forbidden' } });
});
