/** Passes the port of the empty app to its page on request; page and main process share nothing else. */
const { ipcRenderer } = require('electron');

const given = new Promise((resolve) => {
  ipcRenderer.on('port', ({ ports }) => resolve(ports));
});
window.addEventListener('message', async ({ data }) => {
  if (data === 'want port') window.postMessage('port', '*', await given);
});
