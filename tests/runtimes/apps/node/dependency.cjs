module.exports = require('sendoff')
