<?php
// Receives Formwire webhooks with PHP alone: verifies, stores each response once, responds at once.
// FORMWIRE_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:4000 receiver.php

class Refused extends Exception {}

/** Returns the event or throws Refused. `$headers` by lower-case name, `$body` as raw bytes. */
function verify(array $secrets, array $headers, string $body, int $now, int $tolerance = 300): stdClass {
    $signature = $headers['x-service-signature'] ?? null;
    $timestamp = $headers['x-service-timestamp'] ?? null;
    if ($signature === null || $timestamp === null) throw new Refused('missing_header');
    $wellFormed = preg_match('/^sha256=[0-9a-f]{64}$/D', $signature) && preg_match('/^(0|[1-9][0-9]{0,12})$/D', $timestamp);
    foreach (['x-service-event', 'x-service-delivery'] as $name) {
        // A comma joins the values of a header that was given twice.
        $wellFormed = $wellFormed && preg_match('/^[\x21-\x2b\x2d-\x7e]{1,256}$/D', $headers[$name] ?? 'none');
    }
    if (!$wellFormed) throw new Refused('malformed_header');
    if (array_filter($secrets, fn ($secret) => trim($secret) === '')) throw new Refused('invalid_secret');
    $age = $now - (int) $timestamp;
    if (abs($age) > $tolerance) throw new Refused($age > 0 ? 'timestamp_too_old' : 'timestamp_in_future');
    $matches = fn ($secret) => hash_equals('sha256=' . hash_hmac('sha256', "$timestamp.$body", $secret), $signature);
    if (!array_filter($secrets, $matches)) throw new Refused('no_match');
    $event = json_decode($body);
    if (json_last_error() !== JSON_ERROR_NONE) throw new Refused('invalid_json');
    if (!$event instanceof stdClass || !is_string($event->event ?? null)) throw new Refused('unexpected_payload');
    if (isset($headers['x-service-event']) && $headers['x-service-event'] !== $event->event) throw new Refused('event_mismatch');
    if (in_array($event->event, ['response.submitted', 'test.ping'], true)) {
        $valid = is_string($event->form->id ?? null) && is_int($event->response->id ?? null) && is_array($event->response->answers ?? null);
        if (!$valid) throw new Refused('unexpected_payload');
    }
    return $event;
}

/** Stores the body under what is signed: form and response id. A worker of yours reads the folder: long work happens there. */
function store(string $folder, stdClass $event, string $body): void {
    $file = $folder . '/' . hash('sha256', $event->form->id . '/' . $event->response->id) . '.json';
    $temporary = tempnam($folder, 'new');
    // Linking is atomic and fails if the file exists, so that copies that arrive at once are stored once.
    $stored = file_put_contents($temporary, $body) === strlen($body) && (@link($temporary, $file) || file_exists($file));
    unlink($temporary);
    if (!$stored) throw new RuntimeException('the inbox cannot be written');
}

function respond(int $status, string $text = ''): void { http_response_code($status); echo $text; }

if (PHP_SAPI !== 'cli') {
    $folder = getenv('INBOX') ?: __DIR__ . '/inbox';
    if (!is_dir($folder)) @mkdir($folder, 0700, true);
    $request = $_SERVER['REQUEST_METHOD'] . ' ' . $_SERVER['REQUEST_URI'];
    if ($request === 'GET /handled') return respond(200, count(glob("$folder/*.json")));
    if ($request !== 'POST /webhooks') return respond(405);
    if (strlen($body = file_get_contents('php://input', false, null, 0, 2_621_441)) > 2_621_440) return respond(413);
    $secrets = preg_split('/\s+/', getenv('FORMWIRE_WEBHOOK_SECRET') ?: '', -1, PREG_SPLIT_NO_EMPTY);
    try {
        $event = verify($secrets, array_change_key_case(getallheaders()), $body, time());
    } catch (Refused $refused) { return respond($refused->getMessage() === 'no_match' ? 401 : 400, $refused->getMessage()); }
    if ($event->event === 'response.submitted') store($folder, $event, $body);
    respond(200);
}
