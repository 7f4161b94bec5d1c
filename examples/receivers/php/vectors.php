<?php
// Checks verify() against the test vectors: php vectors.php FILE, the vectors/webhooks.json of @formwire/contract.
require __DIR__ . '/receiver.php';

$vectors = json_decode(file_get_contents($argv[1]), true)['vectors'];
$failed = 0;
foreach ($vectors as $vector) {
    // As a server passes them: names in lower case, values of a repeated header joined by a comma.
    $headers = array_map(fn ($value) => implode(', ', (array) $value), array_change_key_case($vector['headers']));
    try {
        $event = verify($vector['secrets'], $headers, base64_decode($vector['body_base64']), $vector['now'], $vector['tolerance_seconds']);
        $result = ['ok' => true, 'type' => $event->event];
    } catch (Refused $refused) {
        $result = ['ok' => false, 'code' => $refused->getMessage()];
    }
    if ($result === $vector['expect']) continue;
    $failed += 1;
    echo "{$vector['name']}: expected ", json_encode($vector['expect']), ', got ', json_encode($result), "\n";
}
if ($failed === 0) echo count($vectors), " vectors pass\n";
exit($failed > 0 ? 1 : 0);
