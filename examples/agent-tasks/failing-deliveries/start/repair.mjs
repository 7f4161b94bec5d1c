console.log('nothing is repaired yet')
