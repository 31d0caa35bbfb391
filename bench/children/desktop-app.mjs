/**
 * Main process of a measured app: Kennel, or an empty app with tray and window. Prints `tray` and `painted`
 * when they are ready, and obeys JSON lines: {"do":"close"}, {"do":"evaluate","code":…}, {"do":"quit"}.
 */
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, MessageChannelMain, nativeImage, Tray } from 'electron';

const say = (line) => void process.stdout.write(`${line}\n`);
const kennel = process.env.BENCH_KENNEL ?? '';

let trayed = false;
const setToolTip = Tray.prototype.setToolTip;
Tray.prototype.setToolTip = function (text) {
  setToolTip.call(this, text);
  if (!trayed) say('tray');
  trayed = true;
};
app.on('browser-window-created', (_event, window) => window.once('ready-to-show', () => say('painted')));

const window = () => BrowserWindow.getAllWindows()[0];
const deeds = {
  close: () => (kennel ? window().close() : window().destroy()),
  evaluate: ({ code }) => window().webContents.executeJavaScript(code),
  quit: () => app.exit(0),
};
createInterface({ input: process.stdin }).on('line', async (line) => {
  const order = JSON.parse(line);
  try {
    say(`done ${JSON.stringify((await deeds[order.do](order)) ?? null)}`);
  } catch (error) {
    say(`failed ${error}`);
  }
});

/** A port to the page that answers each message with the same rows. */
function openPort(target) {
  const rows = JSON.parse(process.env.BENCH_ROWS ?? 'null');
  const { port1, port2 } = new MessageChannelMain();
  port1.on('message', () => port1.postMessage(rows));
  port1.start();
  target.webContents.postMessage('port', null, [port2]);
}

function openEmpty() {
  app.on('window-all-closed', () => {});
  const tray = new Tray(nativeImage.createFromPath(process.env.BENCH_ICON ?? ''));
  tray.setToolTip('empty');
  if (process.argv.includes('--hidden')) return;
  const preload = fileURLToPath(new URL('desktop-preload.cjs', import.meta.url));
  const made = new BrowserWindow({
    width: 1280,
    height: 800,
    show: false,
    webPreferences: { preload, sandbox: true },
  });
  made.once('ready-to-show', () => made.show());
  made.webContents.once('did-finish-load', () => openPort(made));
  void made.loadURL('data:text/html,<title>empty</title><h1>Empty</h1>');
}

if (kennel) await import(kennel);
else {
  // Like Kennel; root has to start both without a sandbox.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  void app.whenReady().then(openEmpty);
}
