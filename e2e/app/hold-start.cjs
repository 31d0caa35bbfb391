/**
 * Loaded before the app by Electron's option `-r`: holds the start until the test calls `startApp`, because
 * Playwright can wait forever for a window that loads its page while the debugger attaches.
 */
const { app } = require('electron');

// A start that the app repeats by itself is not held.
process.argv.splice(process.argv.indexOf(__filename) - 1, 2);

const ready = app.whenReady();
const start = new Promise((resolve) => {
  globalThis.startApp = resolve;
});
app.whenReady = () => start.then(() => ready);
