/**
 * Draws every icon into resources/icons; run it after a change of the drawings: `node scripts/icons.mjs`.
 * Needs Chromium.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { appDrawing, dotDrawing, states, trayDrawing, trayVariants } from './lib/icon-drawings.mjs';
import { icnsFile, icoFile } from './lib/icon-files.mjs';
import { inRoot } from './lib/project.mjs';

const folder = (name) => inRoot('resources/icons', name);
for (const name of ['app', 'tray', 'dots']) mkdirSync(folder(name), { recursive: true });

const browser = await chromium.launch({ executablePath: process.env.KENNEL_CHROMIUM ?? '/usr/bin/chromium' });
const page = await browser.newPage();

async function draw(drawing, size) {
  await page.setViewportSize({ width: size, height: size });
  const picture = drawing.replace('<svg ', `<svg width="${size}" height="${size}" style="display:block" `);
  await page.setContent(`<body style="margin:0">${picture}</body>`);
  return page.screenshot({ omitBackground: true });
}

async function drawPair(drawing, file, size) {
  writeFileSync(`${file}.png`, await draw(drawing, size));
  writeFileSync(`${file}@2x.png`, await draw(drawing, size * 2));
}

for (const state of states) {
  const name = state.replace('_', '-');
  for (const variant of trayVariants) {
    const size = variant === '-template' ? 18 : 22;
    await drawPair(trayDrawing(state, variant), `${folder('tray')}/${name}${variant}`, size);
  }
  await drawPair(dotDrawing(state), `${folder('dots')}/${name}`, 16);
}

const pictures = [];
for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
  const png = await draw(appDrawing(), size);
  pictures.push({ size, png });
  if (size <= 512) writeFileSync(`${folder('app')}/${size}x${size}.png`, png);
}
writeFileSync(folder('icon.ico'), icoFile(pictures.filter(({ size }) => size <= 256)));
writeFileSync(folder('icon.icns'), icnsFile(pictures));
writeFileSync(folder('mark.svg'), `${appDrawing()}\n`);
await browser.close();
