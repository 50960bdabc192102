const { getDefaultConfig } = require('expo/metro-config')

const config = getDefaultConfig(__dirname)
// In this repository the package is a link to its folder. An application that installs it from npm needs none of this file.
config.watchFolders = [require('node:path').resolve(__dirname, '../..')]
config.resolver.nodeModulesPaths = [require('node:path').resolve(__dirname, 'node_modules')]

module.exports = config
