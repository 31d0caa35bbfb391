export const container = {
  noEngine: 'Neither Docker nor podman is on this computer, so the agent’s container was not started.',
  installEngine: 'Install Docker or podman, and try again.',
  noPermission: 'You have no right to use {engine}, so the agent’s container was not started.',
  giveRights:
    'Give your user the right to use {engine} (for Docker: the group docker), or install podman, which needs none.',
  notRunning: '{engine} is installed but does not run, so the agent’s container was not started.',
  startEngine: 'Start {engine}, and try again.',
  engineFailed: '{engine} does not work on this computer: {why}',
  imageMissing: 'The image {image} is not on this computer.',
  makeImage:
    'Make it on the Model card of the agent or with “kennel images build”, or get your own with “kennel images pull”.',
  programMissing: 'The image {image} has no program {title}.',
  recipeNotWritten: 'The recipe of the image could not be written: {why}',
  recipeNotRead: 'The recipe of the image could not be read: {why}',
  noRecipe: 'Kennel has no recipe for an image with {title}. Give a recipe of your own.',
  jobRuns: 'The image {image} is not finished yet. Wait for it, or stop it.',
  engineRefused: '{engine} refused “{verb}”: {why}',
  engineSilent: '{engine} did not finish “{verb}” in time.',
  startNotWritten: 'The files for the start of a container could not be written: {why}',
} as const;
