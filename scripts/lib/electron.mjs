/** Finds an Electron to run on; if its program is missing, runs Electron's own downloader once. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot, projectEnv, projectNode } from './project.mjs';

/** Older versions lack Node-API 10, which the encrypted database needs: only tests run there. */
const firstWithDatabase = 35;

const programs = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };
const program = programs[process.platform] ?? 'electron';

function electronIn(folder) {
  const file = path.join(folder, program);
  if (!existsSync(file)) return null;
  const versionFile = path.join(folder, 'version');
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : '';
  const major = Number(version.split('.')[0]);
  return { file, version, flavour: major > 0 && major < firstWithDatabase ? 'e2e' : 'product' };
}

/** Never throws; `null` if Kennel must run without a window. */
export function findElectron(say) {
  const named = process.env.KENNEL_ELECTRON_DIST;
  if (named) {
    const found = electronIn(named);
    if (found === null)
      say(`There is no Electron in ${named} (KENNEL_ELECTRON_DIST); starting without a window.`);
    return found;
  }
  const own = inRoot('node_modules/electron/dist');
  const found = electronIn(own);
  if (found) return found;
  say('Fetching the Electron program (once) ...');
  const installer = inRoot('node_modules/electron/install.js');
  const env = projectEnv({ ELECTRON_SKIP_BINARY_DOWNLOAD: undefined });
  spawnSync(projectNode() ?? process.execPath, [installer], { env, stdio: 'ignore', timeout: 300_000 });
  const fetched = electronIn(own);
  if (fetched === null) say('Electron could not be fetched; starting without a window.');
  return fetched;
}
