'use strict';
/** Loads every app of the bundle in the folder of the argument, and stores beside it what V8 compiled. */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const process = require('node:process');
const { setFlagsFromString } = require('node:v8');
const { CODE_CACHE, load } = require(join(process.argv[2], 'launch.js'));

// V8 would drop compiled functions that have not run for a while.
setFlagsFromString('--no-flush-bytecode');
const { script, apps } = load();
// The app `standalone` needs no configuration and would start. The modules that only it has are few.
for (const [app, start] of Object.entries(apps)) if (app !== 'standalone') start();
// All modules are loaded. Now the apps find that they have no configuration, and the first one ends the process.
process.once('exit', () => {
  // V8 accepts the cache only with the flags that it had here.
  setFlagsFromString('--flush-bytecode');
  writeFileSync(CODE_CACHE, script.createCachedData());
  process.exitCode = 0;
});
