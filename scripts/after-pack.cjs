/** Hook of electron-builder: removes the default application that some runtimes contain from the package. */
const { rm } = require('node:fs/promises');
const path = require('node:path');

exports.default = async ({ appOutDir, electronPlatformName }) => {
  const resources = electronPlatformName === 'darwin' ? null : path.join(appOutDir, 'resources');
  if (resources) await rm(path.join(resources, 'app'), { recursive: true, force: true });
};
