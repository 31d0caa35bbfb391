/** Entry point of the Electron app: runs the command line, exits as a second instance, or starts the app. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { app } from 'electron';
import { dataFolder } from '../platform/data-folder.ts';
import { profileFolder } from './app-paths.ts';
import { cliArguments, runCommandLine } from './command-line.ts';
import { createOpenedLink } from './opened-link.ts';
import { declarePageScheme } from './page-protocol.ts';
import { guardEveryPage } from './page-restrictions.ts';
import { runApp } from './run-app.ts';

const here = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

function startApp(): void {
  const home = dataFolder(process.env);
  const profile = profileFolder(app.getPath('appData'), home);
  process.umask(0o077);
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', profile);
  if (!app.requestSingleInstanceLock()) {
    console.error('Kennel is already running for this folder; its window was brought to the front.');
    app.exit(0);
    return;
  }
  // Root needs --no-sandbox, which excludes enableSandbox; each window still requests its own sandbox.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  declarePageScheme();
  guardEveryPage();
  const places = {
    home,
    profile: app.getPath('userData'),
    renderer: here('../renderer'),
    preload: here('../preload/index.cjs'),
    icons: here('../../resources/icons'),
  };
  const link = createOpenedLink(process.argv);
  // macOS reports the link of a start before Electron is ready.
  app.on('open-url', (event, address) => {
    event.preventDefault();
    link.open([address]);
  });
  // No top-level await: Electron becomes ready only after this module has been evaluated.
  void app.whenReady().then(() => runApp(places, link));
}

const words = cliArguments(process.argv);
if (words === null) startApp();
else {
  const entry = new URL('./cli.js', import.meta.url).href;
  void runCommandLine(entry, words, app.getVersion()).then((code) => app.exit(code));
}
