# Checks verify against the test vectors: ruby vectors.rb FILE, the vectors/webhooks.json of @formwire/contract.
require_relative "receiver"

def result(vector)
  headers = vector["headers"].to_h { |name, values| [name.downcase, Array(values).join(", ")] }
  body = vector["body_base64"].unpack1("m")
  event = verify(vector["secrets"], headers, body, vector["now"], vector["tolerance_seconds"])
  { "ok" => true, "type" => event[:event] }
rescue Refused => refused
  { "ok" => false, "code" => refused.message }
end

vectors = JSON.parse(File.read(ARGV[0], encoding: "UTF-8"))["vectors"]
wrong = vectors.reject { |vector| result(vector) == vector["expect"] }
wrong.each { |vector| puts "#{vector["name"]}: expected #{vector["expect"]}, got #{result(vector)}" }
puts "#{vectors.size} vectors pass" if wrong.empty?
exit(wrong.empty?)
