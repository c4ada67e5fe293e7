'use strict';
/** Loads the apps of the bundle in the folder of the argument, and stores beside it what V8 compiled. */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const process = require('node:process');
const { setFlagsFromString } = require('node:v8');
const [folder, file] = process.argv.slice(2);
const { codeCache, load } = require(join(folder, 'launch.js'));

// V8 would drop compiled functions that have not run for a while.
setFlagsFromString('--no-flush-bytecode');
const { script, programs } = load(file);
// The programs of the app `standalone` need no configuration and would start. The modules that only they have are few.
for (const [program, start] of Object.entries(programs)) if (!program.includes('/standalone/')) start();
// All modules are loaded. Now the apps find that they have no configuration, and the first one ends the process.
process.once('exit', (code) => {
  if (code !== 1) return;
  // V8 accepts the cache only with the flags that it had here.
  setFlagsFromString('--flush-bytecode');
  writeFileSync(codeCache(file), script.createCachedData());
  process.exitCode = 0;
});
