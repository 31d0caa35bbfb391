export const container = {
  noEngine: 'Neither Docker nor podman answers on this computer, so the agent’s container was not started.',
  imageMissing: 'The image {image} is not on this computer. Get it with: {engine} pull {image}',
  engineRefused: '{engine} refused “{verb}”: {why}',
  engineSilent: '{engine} did not finish “{verb}” in time.',
  startNotWritten: 'The files for the start of a container could not be written: {why}',
} as const;
